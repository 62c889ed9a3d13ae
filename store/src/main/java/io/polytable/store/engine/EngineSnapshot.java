package io.polytable.store.engine;

import io.polytable.table.Bytes;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** All tables as they were at one position. */
final class EngineSnapshot implements Snapshot {
    private final SnapshotView view;
    private final Position position;
    private final Engine engine;
    private final OpenScans scans;
    private final AtomicBoolean closed = new AtomicBoolean();

    EngineSnapshot(SnapshotView view, Engine engine, OpenScans scans) {
        this.view = view;
        this.engine = engine;
        this.position = engine.positionOf(view.position());
        this.scans = scans;
    }

    @Override
    public Position position() {
        return position;
    }

    /** The last record that it shows. */
    long record() {
        return view.position();
    }

    @Override
    public ChangeFeed changes(Set<Table> tables) {
        checkOpen();
        return engine.changesSince(this, tables);
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        checkOpen();
        return view.read(EngineTable.of(table), key.bytes());
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        checkOpen();
        return view.readMany(EngineTable.of(table), keys);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        checkOpen();
        return ScanCursor.open(view, scans, EngineTable.of(table), range, direction, limit);
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new StoreException(StoreError.CLOSED, "The snapshot is closed");
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            view.close();
        }
    }
}
