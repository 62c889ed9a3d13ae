package io.polytable.store;

import io.polytable.store.memory.MergeCursor;
import io.polytable.store.memory.Moment;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.memory.Source;
import io.polytable.store.state.StateSnapshot;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Fresh rows of a moment over a snapshot of the state: all tables as they were at one position. */
final class EngineSnapshot implements Snapshot {
    private final Moment fresh;
    private final StateSnapshot state;
    private final Position position;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    EngineSnapshot(Moment fresh, StateSnapshot state, Position position, Runnable onClose) {
        this.fresh = fresh;
        this.state = state;
        this.position = position;
        this.onClose = onClose;
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        checkOpen();
        EngineTable own = EngineTable.of(table);
        RowMemory.Found found = fresh.find(own.id(), key.bytes());
        return switch (found.known()) {
            case PRESENT -> Optional.of(found.value());
            case ABSENT -> Optional.empty();
            case NOTHING -> state.read(own.state(), key.bytes());
        };
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        checkOpen();
        EngineTable own = EngineTable.of(table);
        List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
        List<Integer> misses = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            RowMemory.Found found = fresh.find(own.id(), keys.get(i).bytes());
            answers.add(found.known() == RowMemory.Known.PRESENT ? Optional.of(found.value()) : Optional.empty());
            if (found.known() == RowMemory.Known.NOTHING) {
                misses.add(i);
            }
        }
        List<Optional<Bytes>> values = state.readMany(
                own.state(), misses.stream().map(i -> keys.get(i).bytes()).toList());
        for (int i = 0; i < values.size(); i++) {
            answers.set(misses.get(i), values.get(i));
        }
        return answers;
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        checkOpen();
        EngineTable own = EngineTable.of(table);
        Source beneath = state.scan(own.state(), range, direction);
        List<Source> sources = Engine.orClose(beneath::close, () -> fresh.over(beneath, own.id(), range, direction));
        // The cursor may be open longer than this is.
        fresh.retain();
        return new MergeCursor(sources, direction, limit, fresh::close);
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new StoreException(StoreError.CLOSED, "The snapshot is closed");
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            state.close();
            fresh.close();
            onClose.run();
        }
    }
}
