package io.polytable.store.state;

import io.polytable.store.memory.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** The state's rows of a range. Bounds are given to RocksDB, so that it never walks the tombstones beyond them. */
final class StateSource implements Source {
    private final UseCount uses;
    private final ReadOptions options = new ReadOptions();
    private final @Nullable Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;
    private final boolean forward;
    private boolean started;
    private boolean closed;
    private Bytes key = Bytes.EMPTY;

    /** The caller has entered {@code uses}; closing leaves. */
    StateSource(
            RocksDB database,
            ColumnFamilyHandle family,
            UseCount uses,
            @Nullable Snapshot snapshot,
            KeyRange range,
            Direction direction) {
        this.uses = uses;
        lower = range.from().isEmpty() ? null : new Slice(range.from().toByteArray());
        upper = range.to().isEmpty() ? null : new Slice(range.to().toByteArray());
        if (lower != null) {
            options.setIterateLowerBound(lower);
        }
        if (upper != null) {
            options.setIterateUpperBound(upper);
        }
        if (snapshot != null) {
            options.setSnapshot(snapshot);
        }
        forward = direction == Direction.FORWARD;
        iterator = database.newIterator(family, options);
    }

    @Override
    public boolean next() {
        step();
        if (!iterator.isValid()) {
            State.check(iterator::status);
            return false;
        }
        key = Bytes.of(iterator.key());
        return true;
    }

    private void step() {
        if (!started) {
            started = true;
            if (forward) {
                iterator.seekToFirst();
            } else {
                iterator.seekToLast();
            }
        } else if (iterator.isValid()) {
            if (forward) {
                iterator.next();
            } else {
                iterator.prev();
            }
        }
    }

    @Override
    public Bytes key() {
        return key;
    }

    @Override
    public boolean isDelete() {
        return false;
    }

    @Override
    public Bytes value() {
        return Bytes.of(iterator.value());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        iterator.close();
        options.close();
        if (lower != null) {
            lower.close();
        }
        if (upper != null) {
            upper.close();
        }
        uses.leave();
    }
}
