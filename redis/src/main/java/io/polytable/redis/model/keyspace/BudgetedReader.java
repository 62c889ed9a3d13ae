package io.polytable.redis.model.keyspace;

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
 * Counts what a unit of work takes out of the store, against the {@link ReadBudget} of all: keys and values that outlive
 * the step of a cursor, and long values. Slices are not counted: nobody can keep them. The first mebibyte is free, so that
 * usual commands share nothing with others.
 */
final class BudgetedReader implements Reader {
    private static final long FREE_BYTES = 1 << 20;
    private static final long STEP_BYTES = 1 << 20;

    /** Of a key or value on the heap, and of its part in a reply, besides its bytes. */
    private static final int OBJECT_BYTES = 80;

    /** A shorter value is mostly a header, looked at and forgotten. */
    private static final int SHORT_BYTES = 256;

    /** Many keys are read by so many: each value can be large. */
    private static final int KEYS_AT_ONCE = 256;

    private final Reader store;
    private final ReadBudget budget;
    private long readBytes;
    private long allowedBytes = FREE_BYTES;

    BudgetedReader(Reader store, ReadBudget budget) {
        this.store = store;
        this.budget = budget;
    }

    /** What was read is not needed any more. */
    void release() {
        readBytes = 0;
        if (allowedBytes > FREE_BYTES) {
            budget.giveBack(allowedBytes - FREE_BYTES);
            allowedBytes = FREE_BYTES;
        }
    }

    /**
     * What was read goes on to somebody else: it stays counted until the answered action runs, while this reader starts
     * anew. The action gives back once, however often it runs.
     */
    Runnable handOn() {
        long heldBytes = allowedBytes - FREE_BYTES;
        readBytes = 0;
        allowedBytes = FREE_BYTES;
        AtomicLong held = new AtomicLong(heldBytes);
        return () -> budget.giveBack(held.getAndSet(0));
    }

    long readBytes() {
        return readBytes;
    }

    /** Nothing is kept of what was read since so much was; the room stays for what is read next. */
    void forget(long readBefore) {
        readBytes = Math.min(readBytes, readBefore);
    }

    /** To be called before so much is kept. */
    void count(long bytes) {
        readBytes += bytes;
        if (readBytes > allowedBytes) {
            long more = (readBytes - allowedBytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            if (!budget.take(more)) {
                // Whoever asked keeps nothing of it; in a transaction others run on.
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
            long bytesMax = Math.max(1, allowedBytes - readBytes + budget.left());
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

    /** Counts each key and each value once. */
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
