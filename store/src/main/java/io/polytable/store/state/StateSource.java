package io.polytable.store.state;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * A source over the state's rows of a range. The range's end is passed to RocksDB as iterate_upper_bound, so that it
 * never walks tombstones beyond it. A spin lock guards the iterator, since the state may be closed meanwhile.
 */
final class StateSource implements Source, OpenHandles.Handle {
    /** A seek costs as much as several steps, and the target is often near: the next version, the next column. */
    private static final int STEPS_BEFORE_SEEK = 3;

    /** After steps missed the target, this many seeks at most skip the steps before they are tried again. */
    private static final int DIRECT_SEEKS_MAX = 63;

    private static final int FIRST_BYTES = 256;

    /** One huge value must not hold its memory while the cursor is open. */
    private static final int KEEP_BYTES_MAX = 1 << 20;

    private final StateTable table;
    private final OpenHandles handles;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ReadOptions options;
    private final @Nullable Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;
    private final boolean forward;
    private final Bytes first;
    private int directSeeks;
    private int directSeeksLeft;
    private boolean started;
    private boolean closed;
    private volatile boolean givenUp;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private byte[] keyBuffer = new byte[FIRST_BYTES];
    private byte[] valueBuffer = new byte[FIRST_BYTES];
    private boolean hasValue;

    StateSource(
            RocksDB database,
            StateTable table,
            OpenHandles handles,
            @Nullable Snapshot snapshot,
            KeyRange range,
            Direction direction) {
        // First, because it refuses a dropped table: native objects made before would leak.
        ColumnFamilyHandle family = table.handle();
        this.table = table;
        this.handles = handles;
        options = new ReadOptions();
        forward = direction == Direction.FORWARD;
        first = range.from();
        // A forward scan just starts there and needs no lower bound: one native object less per cursor.
        lower = forward || first.isEmpty() ? null : new Slice(first.toByteArray());
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
        iterator = database.newIterator(family, options);
        table.pin();
    }

    private void lock() {
        while (!busy.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        if (closed) {
            unlock();
            throw givenUp ? OpenHandles.givenUp() : new StoreException(StoreError.CLOSED, "The cursor is closed");
        }
    }

    private void unlock() {
        busy.setRelease(false);
    }

    @Override
    public boolean next() {
        lock();
        try {
            return nextRow();
        } finally {
            unlock();
        }
    }

    private boolean nextRow() {
        step();
        return load();
    }

    @Override
    public boolean seek(Bytes target) {
        lock();
        try {
            return seekRow(target);
        } finally {
            unlock();
        }
    }

    private boolean seekRow(Bytes target) {
        if (started && stepTo(target)) {
            return iterator.isValid();
        }
        started = true;
        if (forward) {
            iterator.seek((target.compareTo(first) < 0 ? first : target).toByteArray());
        } else {
            iterator.seekForPrev(target.toByteArray());
        }
        return load();
    }

    /** Whether a few steps led to the target or to the end. Backs off exponentially when targets are far apart. */
    private boolean stepTo(Bytes target) {
        if (directSeeksLeft > 0) {
            directSeeksLeft--;
            return false;
        }
        for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
            if (!nextRow() || !isBefore(target)) {
                directSeeks = 0;
                return true;
            }
        }
        directSeeks = Math.min(DIRECT_SEEKS_MAX, 2 * directSeeks + 1);
        directSeeksLeft = directSeeks;
        return false;
    }

    private boolean isBefore(Bytes target) {
        int order = key.compareWith(target);
        return forward ? order < 0 : order > 0;
    }

    private boolean load() {
        hasValue = false;
        if (!iterator.isValid()) {
            table.check(iterator::status);
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
            if (forward && first.isEmpty()) {
                iterator.seekToFirst();
            } else if (forward) {
                iterator.seek(first.toByteArray());
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
        if (hasValue) {
            return value.toBytes();
        }
        lock();
        try {
            return Bytes.of(iterator.value());
        } finally {
            unlock();
        }
    }

    @Override
    public ByteSlice valueSlice() {
        if (!hasValue) {
            loadValue();
            hasValue = true;
        }
        return value;
    }

    private void loadValue() {
        lock();
        try {
            copyValue();
        } finally {
            unlock();
        }
    }

    private void copyValue() {
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
        while (!busy.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        try {
            if (!closed) {
                closed = true;
                closeNatively();
                table.unpin();
                handles.remove(this);
            }
        } finally {
            unlock();
        }
    }

    @Override
    public void giveUp() {
        givenUp = true;
        close();
    }

    private void closeNatively() {
        iterator.close();
        options.close();
        if (lower != null) {
            lower.close();
        }
        if (upper != null) {
            upper.close();
        }
    }
}
