package io.polytable.store.state;

import io.polytable.store.memory.Source;
import io.polytable.table.ByteSlice;
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
    /** A seek costs as much as several steps, and what is sought is often near: the next version, the next column. */
    private static final int STEPS_BEFORE_SEEK = 3;

    private static final int FIRST_BYTES = 256;

    /** One huge value must not keep its memory as long as the cursor is open. */
    private static final int KEEP_BYTES_MAX = 1 << 20;

    private final UseCount uses;
    private final ReadOptions options = new ReadOptions();
    private final @Nullable Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;
    private final boolean forward;
    private boolean started;
    private boolean closed;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private byte[] keyBuffer = new byte[FIRST_BYTES];
    private byte[] valueBuffer = new byte[FIRST_BYTES];
    private boolean hasValue;

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
        return load();
    }

    @Override
    public boolean seek(Bytes target) {
        for (int i = 0; started && i < STEPS_BEFORE_SEEK; i++) {
            if (!next() || !isBefore(target)) {
                return iterator.isValid();
            }
        }
        started = true;
        if (forward) {
            iterator.seek(target.toByteArray());
        } else {
            iterator.seekForPrev(target.toByteArray());
        }
        return load();
    }

    private boolean isBefore(Bytes target) {
        int order = key.compareWith(target);
        return forward ? order < 0 : order > 0;
    }

    private boolean load() {
        hasValue = false;
        if (!iterator.isValid()) {
            State.check(iterator::status);
            return false;
        }
        int length = iterator.key(keyBuffer);
        if (length > keyBuffer.length) {
            keyBuffer = new byte[length + length / 2];
            length = iterator.key(keyBuffer);
        }
        key.set(keyBuffer, 0, length);
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
        return key.toBytes();
    }

    @Override
    public ByteSlice keySlice() {
        return key;
    }

    @Override
    public boolean isDelete() {
        return false;
    }

    @Override
    public Bytes value() {
        return hasValue ? value.toBytes() : Bytes.of(iterator.value());
    }

    @Override
    public ByteSlice valueSlice() {
        if (!hasValue) {
            hasValue = true;
            loadValue();
        }
        return value;
    }

    private void loadValue() {
        int length = iterator.value(valueBuffer);
        if (length > valueBuffer.length) {
            byte[] larger = new byte[length + length / 2];
            length = iterator.value(larger);
            value.set(larger, 0, length);
            valueBuffer = larger.length > KEEP_BYTES_MAX ? valueBuffer : larger;
        } else {
            value.set(valueBuffer, 0, length);
        }
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
