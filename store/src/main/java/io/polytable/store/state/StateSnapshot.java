package io.polytable.store.state;

import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.Optional;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;

/** A RocksDB snapshot of the state. Closed by its user, or by the state when that is reopened or closed. */
public final class StateSnapshot implements AutoCloseable, OpenHandles.Handle {
    private final State state;
    private final RocksDB database;
    private final Snapshot snapshot;
    private final OpenHandles handles;
    private final ReadOptions options = new ReadOptions();
    private boolean closed;

    StateSnapshot(State state, RocksDB database, OpenHandles handles) {
        this.state = state;
        this.database = database;
        this.handles = handles;
        snapshot = database.getSnapshot();
        options.setSnapshot(snapshot);
    }

    public Optional<Bytes> read(StateTable table, Bytes key) {
        return state.read(table, key, this::options);
    }

    /** One answer per key, in order. */
    public List<Optional<Bytes>> readMany(StateTable table, List<Bytes> keys) {
        return state.readMany(table, keys, this::options);
    }

    public Source scan(StateTable table, KeyRange range, Direction direction) {
        return state.scan(table, range, direction, this);
    }

    /** Call inside the state's gate only: nobody closes it meanwhile. */
    private synchronized ReadOptions options() {
        requireOpen();
        return options;
    }

    /** Call inside the state's gate only. */
    synchronized Snapshot snapshot() {
        requireOpen();
        return snapshot;
    }

    private void requireOpen() {
        if (closed) {
            throw OpenHandles.givenUp();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            options.close();
            database.releaseSnapshot(snapshot);
            snapshot.close();
            handles.remove(this);
        }
    }

    @Override
    public void giveUp() {
        close();
    }
}
