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
 * The rows of one partition in the order of their {@link Scatter}: the keys of a database, the fields of a hash. A row's
 * place in that order never changes while it lives, and a cursor is a place. So a walk in steps meets each row that is
 * there from its begin to its end exactly once, whatever else comes and goes, and the server remembers nothing.
 */
public final class Ring {
    /**
     * A row after a large gap would be found more often than others by a random place; one taken from so many rows
     * after that place evens the gaps out. Collections up to this size are picked from with equal chance.
     */
    private static final int WINDOW = 64;

    private final Reader reader;
    private final Table table;
    private final Bytes partition;

    public Ring(Reader reader, Table table, Bytes partition) {
        this.reader = reader;
        this.table = table;
        this.partition = partition;
    }

    /**
     * At least {@code count} rows from the cursor on if there are so many. Rows of the same place come in one page, as
     * no cursor could tell them apart; the secret in the scatter keeps them few.
     */
    public Page page(long cursor, long count) {
        if (cursor >>> Integer.SIZE != 0) {
            return Page.NOTHING;
        }
        List<ScatteredRow> rows = new ArrayList<>();
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

    /** All rows, each valid until the action returns. */
    public void forEach(Consumer<ScatteredRow> action) {
        int start = partition.length() + Scatter.BYTES;
        try (Cursor walk = from(0, Long.MAX_VALUE)) {
            while (walk.next()) {
                ByteSlice key = walk.keySlice();
                ByteSlice value = walk.valueSlice();
                action.accept(new ScatteredRow(
                        Bytes.of(key.array(), key.offset() + start, key.length() - start),
                        Bytes.of(value.array(), value.offset(), value.length())));
            }
        }
    }

    Optional<ScatteredRow> random(RandomGenerator random) {
        List<ScatteredRow> window = window(random.nextInt());
        return window.isEmpty() ? Optional.empty() : Optional.of(window.get(random.nextInt(window.size())));
    }

    /** The rows after a place, going on at the start after the last one. */
    public List<ScatteredRow> window(int place) {
        return window(place, WINDOW, WINDOW, Long.MAX_VALUE);
    }

    /** As {@link #window(int)}; behind the least number of rows it ends where their values take so many bytes. */
    List<ScatteredRow> window(int place, int least, int most, long valueBytesMax) {
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

    /** Rows, until they are enough. */
    private static final class Window {
        private final List<ScatteredRow> rows = new ArrayList<>();
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

        void add(ScatteredRow row) {
            rows.add(row);
            bytesLeft -= row.value().length();
        }
    }

    private Cursor from(int place, long limit) {
        byte[] from = new byte[partition.length() + Scatter.BYTES];
        partition.copyTo(from, 0);
        BigEndian.putInt(from, partition.length(), place);
        KeyRange range = new KeyRange(Bytes.of(from), partition.successorOfPrefix(), partition.length());
        return reader.scan(table, range, Direction.FORWARD, limit);
    }

    private long place(Cursor walk) {
        return Integer.toUnsignedLong(BigEndian.intAt(walk.key(), partition.length()));
    }

    private ScatteredRow row(Cursor walk) {
        return new ScatteredRow(walk.key().from(partition.length() + Scatter.BYTES), walk.value());
    }
}
