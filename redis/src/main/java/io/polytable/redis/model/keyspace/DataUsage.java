package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.write.EncodedRow;
import io.polytable.table.write.WriteSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The bytes that all keys take, for {@code maxmemory}: the rows of keys and of elements, each with the usual cost of a
 * row. They are counted only while there is a limit, since every commit then reads the rows that it replaces.
 *
 * <p>When a limit is set, the rows are counted on a snapshot, and commits add their changes from then on. The elements
 * of a removed collection count until the sweeper has deleted them; meanwhile the eviction counts what it removed as
 * gone.
 */
public final class DataUsage {
    /** The cost of a row besides its key and value: its part of the log, of memory and of a file's index. */
    public static final long ROW_COST_BYTES = 32;

    /** How often a long count checks whether to stop. */
    private static final int ROWS_BETWEEN_CHECKS = 10_000;

    private final TableStore store;
    private final Map<Integer, Table> counted = new HashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong leaving = new AtomicLong();
    private volatile DataLimit limit = DataLimit.NONE;
    private volatile boolean counting;
    private volatile boolean ready;
    private volatile boolean exhausted;
    private volatile Runnable whenOver = () -> {};

    DataUsage(TableStore store, Iterable<Table> counted) {
        this.store = store;
        counted.forEach(table -> this.counted.put(table.id(), table));
    }

    public DataLimit limit() {
        return limit;
    }

    /** Changes the limit. The eviction begins or ends to count. */
    public void limit(DataLimit next) {
        limit = next;
        exhausted = false;
        whenOver.run();
    }

    /** Runs the action whenever more than the limit is used and something could be removed. */
    public void whenOver(Runnable action) {
        whenOver = action;
    }

    /** The bytes of all keys; zero while they are not counted. */
    public long bytes() {
        return ready ? bytes.get() : 0;
    }

    public boolean isCounting() {
        return counting;
    }

    /** Whether what was there when the counting began is counted: before that, nothing is evicted or refused. */
    public boolean isCounted() {
        return counting && ready;
    }

    /** Whether the keys take more than the limit, apart from what is being removed. */
    public boolean isOver() {
        long most = limit.bytes();
        return most > 0 && ready && bytes.get() - leaving.get() > most;
    }

    /** Whether commands that add data must be refused: too much is used, and nothing can be removed. */
    public boolean refuses() {
        return counting && (exhausted || !limit.policy().evicts()) && isOver();
    }

    /** Whether writers must wait until the eviction has removed more. */
    public boolean isBehind() {
        DataLimit now = limit;
        return counting
                && !exhausted
                && now.policy().evicts()
                && ready
                && bytes.get() - leaving.get() > now.bytes() + now.slackBytes();
    }

    /** The eviction found nothing, or something again. */
    public void exhausted(boolean nothingFound) {
        exhausted = nothingFound;
    }

    /** A removed collection, of about this many bytes, waits for the sweeper. */
    public void leaves(long removedBytes) {
        leaving.addAndGet(removedBytes);
    }

    /** The sweeper has deleted all that waited for it. */
    public void allSwept() {
        leaving.set(0);
    }

    /**
     * Begins to count. For the thread that sweeps and drops, whose commits take no stripes.
     *
     * @param stopping ends a long count
     */
    public void start(BooleanSupplier stopping) {
        store.stripes().lockEverything();
        Snapshot present;
        try {
            bytes.set(0);
            leaving.set(0);
            counting = true;
            present = store.snapshot();
        } finally {
            store.stripes().unlockEverything();
        }
        try (present) {
            for (Table table : counted.values()) {
                bytes.addAndGet(bytesIn(present, table, KeyRange.ALL, stopping));
            }
        }
        ready = true;
    }

    public void stop() {
        ready = false;
        counting = false;
        bytes.set(0);
    }

    private static long bytesIn(Reader rows, Table table, KeyRange range, BooleanSupplier stopping) {
        long sum = 0;
        int left = ROWS_BETWEEN_CHECKS;
        try (Cursor cursor = rows.scan(table, range)) {
            while (cursor.next()) {
                sum += rowBytes(cursor.keySlice().length(), cursor.valueSlice().length());
                if (--left == 0 && stopping.getAsBoolean()) {
                    return sum;
                }
                left = left == 0 ? ROWS_BETWEEN_CHECKS : left;
            }
        }
        return sum;
    }

    private static long rowBytes(int keyBytes, int valueBytes) {
        return ROW_COST_BYTES + keyBytes + valueBytes;
    }

    /** What the commit of these changes will add; negative if it removes more. The caller holds their stripes. */
    public long growth(WriteSet writes) {
        long growth = 0;
        Map<Place, Long> changed = new HashMap<>();
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < writes.changes(); i++) {
            writes.change(row, i);
            Table table = counted.get(row.table());
            if (table == null) {
                continue;
            }
            if (row.op() == EncodedRow.DELETE_RANGE) {
                KeyRange range = new KeyRange(row.key(), row.value(), row.partitionLength());
                growth -= bytesIn(store, table, range, () -> false);
                continue;
            }
            Bytes key = row.key();
            long now = row.op() == EncodedRow.PUT ? rowBytes(key.length(), row.valueLength()) : 0;
            Place place = new Place(table.id(), key);
            Long known = changed.put(place, now);
            growth += now - (known == null ? stored(table, key, row.partitionLength()) : known);
        }
        return growth;
    }

    private record Place(int table, Bytes key) {}

    private long stored(Table table, Bytes key, int partitionLength) {
        return store.read(table, new RowKey(key, partitionLength))
                .map(value -> rowBytes(key.length(), value.length()))
                .orElse(0L);
    }

    /** Adds what a commit added. */
    public void add(long growth) {
        bytes.addAndGet(growth);
        if (!exhausted && limit.policy().evicts() && isOver()) {
            whenOver.run();
        }
    }
}
