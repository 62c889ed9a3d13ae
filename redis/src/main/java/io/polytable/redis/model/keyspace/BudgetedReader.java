package io.polytable.redis.model.keyspace;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.RedisError;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A reader that charges what a unit of work reads to the shared {@link Budget} of reads: keys and values that outlive a
 * cursor's step, and long values. Slices are not charged, since nobody can keep them. The first mebibyte is free, so
 * that usual commands do not contend for the budget.
 */
final class BudgetedReader implements Reader {
    private static final long FREE_BYTES = 1 << 20;
    private static final long STEP_BYTES = 1 << 20;

    /** The overhead of a key or value on the heap and in a reply, besides its bytes. */
    private static final int OBJECT_BYTES = 80;

    /** A shorter value is mostly a header, which is decoded and dropped. */
    private static final int SHORT_BYTES = 256;

    /** Reads many keys in steps of this many, since each value can be large. */
    private static final int KEYS_AT_ONCE = 256;

    private final Reader store;
    private final Budget budget;
    private long readBytes;
    private long allowedBytes = FREE_BYTES;

    BudgetedReader(Reader store, Budget budget) {
        this.store = store;
        this.budget = budget;
    }

    /** Gives everything back: what was read is no longer needed. */
    void release() {
        readBytes = 0;
        if (allowedBytes > FREE_BYTES) {
            budget.release(allowedBytes - FREE_BYTES);
            allowedBytes = FREE_BYTES;
        }
    }

    /**
     * Hands the charge over: it stays in the budget until the returned action runs, while this reader starts at zero.
     * The action gives back once, however often it runs.
     */
    Runnable handOn() {
        long heldBytes = allowedBytes - FREE_BYTES;
        readBytes = 0;
        allowedBytes = FREE_BYTES;
        AtomicLong held = new AtomicLong(heldBytes);
        return () -> budget.release(held.getAndSet(0));
    }

    long readBytes() {
        return readBytes;
    }

    /**
     * Uncharges what was read after {@code readBefore}, of which nothing is kept. The budget taken stays for what is
     * read next.
     */
    void forget(long readBefore) {
        readBytes = Math.min(readBytes, readBefore);
    }

    /** Charges bytes before they are kept. */
    void count(long bytes) {
        readBytes += bytes;
        if (readBytes > allowedBytes) {
            long more = (readBytes - allowedBytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            if (!budget.tryTake(more)) {
                // The caller keeps nothing of it; other commands of the transaction continue.
                readBytes -= bytes;
                throw new RedisError(RedisError.Code.OOM, "the reply is larger than the server's memory allows");
            }
            allowedBytes += more;
        }
    }

    void countObject(long bytes) {
        count(OBJECT_BYTES + bytes);
    }

    private void countValue(int bytes) {
        if (bytes > SHORT_BYTES) {
            count(bytes);
        }
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        Optional<Bytes> value = store.read(table, key);
        if (value.isPresent()) {
            countValue(value.get().length());
        }
        return value;
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        List<Optional<Bytes>> values = new ArrayList<>(keys.size());
        while (values.size() < keys.size()) {
            int from = values.size();
            long bytesMax = Math.max(1, allowedBytes - readBytes + budget.leftBytes());
            List<RowKey> some = keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE));
            List<Optional<Bytes>> found = store.readMany(table, some, bytesMax);
            values.addAll(found);
            count(objectBytes(found));
        }
        return values;
    }

    private static long objectBytes(List<Optional<Bytes>> values) {
        long bytes = 0;
        for (Optional<Bytes> value : values) {
            bytes += value.isPresent() ? OBJECT_BYTES + value.get().length() : 0;
        }
        return bytes;
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return new BudgetedCursor(store.scan(table, range, direction, limit));
    }

    /** Charges each key and each value once. */
    private final class BudgetedCursor implements Cursor {
        private final Cursor rows;
        private boolean keyCounted;
        private boolean valueCounted;

        private BudgetedCursor(Cursor rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            keyCounted = false;
            valueCounted = false;
            return rows.next();
        }

        @Override
        public boolean seek(Bytes key) {
            keyCounted = false;
            valueCounted = false;
            return rows.seek(key);
        }

        @Override
        public Bytes key() {
            Bytes key = rows.key();
            if (!keyCounted) {
                keyCounted = true;
                countObject(key.length());
            }
            return key;
        }

        @Override
        public Bytes value() {
            if (!valueCounted) {
                valueCounted = true;
                countObject(rows.valueSlice().length());
            }
            return rows.value();
        }

        @Override
        public ByteSlice keySlice() {
            return rows.keySlice();
        }

        @Override
        public ByteSlice valueSlice() {
            return rows.valueSlice();
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
