package io.polytable.redis.model.row;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The rows of one partition in the order of their {@link KeyedHash}: the keys of a database, the fields of a hash. A
 * row's hash never changes while the row exists, and a cursor is a hash. So a SCAN returns each row that exists from
 * its start to its end exactly once, whatever else comes and goes, and the server keeps no state.
 */
public final class HashRing {
    /**
     * A seek to a random hash alone would favour rows after a large gap. Picking one of the next {@code WINDOW} rows
     * evens that out; collections up to this size are picked from with equal chance.
     */
    private static final int WINDOW = 64;

    private final Reader reader;
    private final Table table;
    private final Bytes partition;

    public HashRing(Reader reader, Table table, Bytes partition) {
        this.reader = reader;
        this.table = table;
        this.partition = partition;
    }

    /**
     * At least {@code count} rows from the cursor on, if there are as many. Rows of the same hash come in one page,
     * since no cursor could distinguish them; the secret of the hash keeps them few.
     */
    public Page page(long cursor, long count) {
        if (cursor >>> Integer.SIZE != 0) {
            return Page.NOTHING;
        }
        List<RingRow> rows = new ArrayList<>();
        try (Cursor walk = from((int) cursor, Long.MAX_VALUE)) {
            long place = -1;
            while (walk.next()) {
                long next = place(walk);
                if (rows.size() >= count && next != place) {
                    return new Page(rows, next);
                }
                place = next;
                rows.add(row(walk));
            }
        }
        return new Page(rows, 0);
    }

    /** Visits all rows; each is valid until the action returns. */
    public void forEach(Consumer<RingRow> action) {
        int start = partition.length() + KeyedHash.BYTES;
        try (Cursor walk = from(0, Long.MAX_VALUE)) {
            while (walk.next()) {
                ByteSlice key = walk.keySlice();
                ByteSlice value = walk.valueSlice();
                action.accept(new RingRow(
                        Bytes.of(key.array(), key.offset() + start, key.length() - start),
                        Bytes.of(value.array(), value.offset(), value.length())));
            }
        }
    }

    Optional<RingRow> random(RandomGenerator random) {
        List<RingRow> window = window(random.nextInt());
        return window.isEmpty() ? Optional.empty() : Optional.of(window.get(random.nextInt(window.size())));
    }

    /** The rows after a hash, continuing at the start after the last one. */
    public List<RingRow> window(int place) {
        return window(place, WINDOW, WINDOW, Long.MAX_VALUE);
    }

    /** As {@link #window(int)}; after {@code least} rows it stops once their values reach {@code valueBytesMax}. */
    List<RingRow> window(int place, int least, int most, long valueBytesMax) {
        Window window = new Window(least, most, valueBytesMax);
        try (Cursor walk = from(place, most)) {
            while (window.hasRoom() && walk.next()) {
                window.add(row(walk));
            }
        }
        if (window.hasRoom() && place != 0) {
            try (Cursor walk = from(0, most - window.rows.size())) {
                while (window.hasRoom() && walk.next() && Integer.compareUnsigned((int) place(walk), place) < 0) {
                    window.add(row(walk));
                }
            }
        }
        return window.rows;
    }

    /** Collects rows until there are enough. */
    private static final class Window {
        private final List<RingRow> rows = new ArrayList<>();
        private final int least;
        private final int most;
        private long bytesLeft;

        Window(int least, int most, long valueBytesMax) {
            this.least = least;
            this.most = most;
            bytesLeft = valueBytesMax;
        }

        boolean hasRoom() {
            return rows.size() < least || (rows.size() < most && bytesLeft > 0);
        }

        void add(RingRow row) {
            rows.add(row);
            bytesLeft -= row.value().length();
        }
    }

    private Cursor from(int place, long limit) {
        byte[] from = new byte[partition.length() + KeyedHash.BYTES];
        partition.copyTo(from, 0);
        BigEndian.putInt(from, partition.length(), place);
        KeyRange range = new KeyRange(Bytes.of(from), partition.successorOfPrefix(), partition.length());
        return reader.scan(table, range, Direction.FORWARD, limit);
    }

    private long place(Cursor walk) {
        return Integer.toUnsignedLong(BigEndian.intAt(walk.key(), partition.length()));
    }

    private RingRow row(Cursor walk) {
        return new RingRow(walk.key().from(partition.length() + KeyedHash.BYTES), walk.value());
    }
}
