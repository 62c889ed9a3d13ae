package io.polytable.store.engine;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Expiry;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A snapshot of all tables at one position. */
final class EngineSnapshot implements Snapshot {
    private final SnapshotView view;
    private final Position position;
    private final Engine engine;
    private final OpenScans scans;
    private final long nowMillis;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param nowMillis the time by which rows count as expired */
    EngineSnapshot(SnapshotView view, Engine engine, OpenScans scans, long nowMillis) {
        this.nowMillis = nowMillis;
        this.view = view;
        this.engine = engine;
        this.position = engine.positionOf(view.position());
        this.scans = scans;
    }

    @Override
    public Position position() {
        return position;
    }

    /** The last record it includes. */
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
        EngineTable own = EngineTable.of(table);
        return own.expiry().shown(key.bytes(), view.read(own, key.bytes()), nowMillis);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        checkOpen();
        EngineTable own = EngineTable.of(table);
        return own.expiry().shown(keys, view.readMany(own, keys), nowMillis);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        EngineTable own = EngineTable.of(table);
        return scanStored(own, own.expiry().alive(range, nowMillis), direction, limit);
    }

    /** The rows as stored, expired ones included. */
    Cursor scanStored(EngineTable table, KeyRange range, Direction direction, long limit) {
        checkOpen();
        return ScanCursor.open(view, scans, table, range, direction, limit);
    }

    /** The same snapshot with expired rows that are not removed yet; closed with this one. */
    Reader withExpired() {
        return new EngineSnapshot(view, engine, scans, Expiry.BEFORE_ALL);
    }

    @Override
    public long version(RangeChanges changes, int range) {
        return changes.version(range, record());
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
