package io.polytable.table.deadline;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks a table whose keys begin with a deadline, from the oldest on, in bounded steps. All entries are one partition, so
 * that new ones are found right after their commit:
 *
 * <pre>
 * 01  deadline, milliseconds since 1970:8  whatever names the thing
 * </pre>
 *
 * The walk resumes where it ended, as removed entries still cost whoever scans over them until the engine has compacted them
 * away. For one thread at a time.
 */
public final class DeadlineQueue {
    /** What stands before the name of the thing. */
    public static final int PREFIX_BYTES = 1 + Long.BYTES;

    private static final byte QUEUE = 1;

    /** How far the clock of whoever adds entries may lag behind the clock of the walk. */
    private static final long LAG_MILLIS_MAX = 60_000;

    /** After so many steps the walk starts at the beginning: clocks can be set back, and restores bring old entries. */
    private static final int STEPS_BEFORE_RESTART = 1000;

    private final Reader reader;
    private final Table index;
    private long doneMillis;
    private long walkedMillis;
    private int steps;

    /** One entry of the index. */
    public record Entry(Bytes key, Bytes value) {
        public long deadlineMillis() {
            return DeadlineQueue.deadlineMillis(key);
        }

        public RowKey rowKey() {
            return new RowKey(key, 1);
        }

        /** What follows the deadline. */
        public Bytes name() {
            return key.from(PREFIX_BYTES);
        }
    }

    public DeadlineQueue(Reader reader, Table index) {
        this.reader = reader;
        this.index = index;
    }

    public static RowKey key(long deadlineMillis, Bytes name) {
        byte[] key = new byte[PREFIX_BYTES + name.length()];
        ByteBuffer.wrap(key).put(QUEUE).putLong(deadlineMillis);
        name.copyTo(key, PREFIX_BYTES);
        return new RowKey(Bytes.of(key), 1);
    }

    public static long deadlineMillis(Bytes key) {
        return ByteBuffer.wrap(key.array(), key.offset() + 1, Long.BYTES).getLong();
    }

    /** All entries. */
    public static KeyRange all() {
        return KeyRange.partition(Bytes.of(new byte[] {QUEUE}));
    }

    /**
     * The oldest entries with a deadline before that time. The caller removes them and then says so by {@link #removed()}:
     * as long as it could not, the next walk meets them again.
     */
    public List<Entry> due(long beforeMillis, int most) {
        steps++;
        boolean restart = steps % STEPS_BEFORE_RESTART == 0;
        long from = restart ? 0 : Math.max(0, doneMillis - LAG_MILLIS_MAX);
        KeyRange range = new KeyRange(
                key(Math.min(from, beforeMillis), Bytes.EMPTY).bytes(),
                key(beforeMillis, Bytes.EMPTY).bytes(),
                1);
        List<Entry> due = new ArrayList<>();
        try (Cursor entries = reader.scan(index, range, Direction.FORWARD, most)) {
            while (entries.next()) {
                due.add(new Entry(entries.key(), entries.value()));
            }
        }
        walkedMillis =
                due.size() < most ? beforeMillis : due.get(due.size() - 1).deadlineMillis();
        return due;
    }

    /** The entries of the last walk are gone: the next begins behind them. */
    public void removed() {
        doneMillis = walkedMillis;
    }
}
