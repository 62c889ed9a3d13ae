package io.polytable.redis.model.row;

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
 * A queue of deadlines in a table: takes the oldest entries in bounded steps. All entries are in one partition, so that
 * new ones are found right after their commit:
 *
 * <pre>
 * 01  deadline, milliseconds since 1970:8  identifier
 * </pre>
 *
 * Each step resumes where the last one ended, since removed entries leave tombstones that cost every scan until the
 * engine compacts them. Not thread safe.
 */
public final class DeadlineQueue {
    /** The length of the prefix before the identifier. */
    public static final int PREFIX_BYTES = 1 + Long.BYTES;

    private static final byte QUEUE = 1;

    /** How far the clock of a writer of entries may lag behind the clock of the queue. */
    private static final long LAG_MILLIS_MAX = 60_000;

    /**
     * After so many steps the queue restarts at the beginning: clocks can be set back, and restores bring old entries.
     */
    private static final int STEPS_BEFORE_RESTART = 1000;

    private final Reader reader;
    private final Table index;
    private long doneMillis;
    private long walkedMillis;
    private int steps;

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
     * The oldest entries with a deadline before that time. The caller removes them and confirms that with {@link
     * #removed()}; until then the next call returns them again.
     */
    public List<Bytes> due(long beforeMillis, int most) {
        steps++;
        boolean restart = steps % STEPS_BEFORE_RESTART == 0;
        long from = restart ? 0 : Math.max(0, doneMillis - LAG_MILLIS_MAX);
        KeyRange range = new KeyRange(
                key(Math.min(from, beforeMillis), Bytes.EMPTY).bytes(),
                key(beforeMillis, Bytes.EMPTY).bytes(),
                1);
        List<Bytes> due = new ArrayList<>();
        try (Cursor entries = reader.scan(index, range, Direction.FORWARD, most)) {
            while (entries.next()) {
                due.add(entries.key());
            }
        }
        walkedMillis = due.size() < most ? beforeMillis : deadlineMillis(due.get(due.size() - 1));
        return due;
    }

    /** Confirms that the entries of the last call are removed: the next call continues after them. */
    public void removed() {
        doneMillis = walkedMillis;
    }
}
