package io.polytable.store.state;

import io.polytable.store.memory.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.Optional;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;

/** The state as it was at one moment. */
public final class StateSnapshot implements AutoCloseable {
    private final State state;
    private final RocksDB database;
    private final Snapshot snapshot;
    private final UseCount uses;
    private boolean closed;

    /** The caller has entered {@code uses}; closing leaves. */
    StateSnapshot(State state, RocksDB database, UseCount uses) {
        this.state = state;
        this.database = database;
        this.uses = uses;
        snapshot = database.getSnapshot();
    }

    public Optional<Bytes> read(StateTable table, Bytes key) {
        KeyRange justIt = KeyRange.between(key, key.concat(Bytes.of(new byte[1])));
        try (Source source = scan(table, justIt, Direction.FORWARD)) {
            return source.next() ? Optional.of(source.value()) : Optional.empty();
        }
    }

    public Source scan(StateTable table, KeyRange range, Direction direction) {
        return state.scan(table, range, direction, snapshot);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            database.releaseSnapshot(snapshot);
            snapshot.close();
            uses.leave();
        }
    }
}
