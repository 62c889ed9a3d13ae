package io.polytable.redis.model.order;

import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.Map;

/**
 * The rows of one sorted set's order, one per element (docs/formats/redis-zset.md):
 *
 * <pre>
 * id:8  3  place  ->  nothing, or one byte when the score is negative zero
 * </pre>
 */
public record OrderRows(Table table, long id, Ordering ordering) {
    /** The place has the same bytes for both zeros; this value marks the negative one. */
    private static final Bytes NEGATIVE_ZERO = Bytes.of(new byte[] {1});

    RowKey key(Bytes place) {
        return Layout.element(id, ordering.element(), place);
    }

    public void put(WriteSet work, Bytes place, Bytes value) {
        work.put(table, key(place), value);
    }

    /** The value of a sorted set's order row. */
    public static Bytes value(double score) {
        return isNegativeZero(score) ? NEGATIVE_ZERO : Bytes.EMPTY;
    }

    public void delete(WriteSet work, Bytes place) {
        work.delete(table, key(place));
    }

    /** From one place (inclusive) to another (exclusive, {@link SortKeys#END} for all that follow). */
    public KeyRange range(Bytes from, Bytes to) {
        Bytes first = key(from).bytes();
        Bytes end = to.isEmpty() ? first.slice(0, Layout.ELEMENT_PREFIX).successorOfPrefix() : key(to).bytes();
        return new KeyRange(first, end, Layout.ELEMENT_PREFIX);
    }

    public Cursor scan(Reader reader, Bytes from, Bytes to, Direction direction, long limit) {
        return reader.scan(table, range(from, to), direction, limit);
    }

    /** The place of the n-th element, from zero, between the places. */
    Bytes nth(Reader reader, Bytes from, Bytes to, long n) {
        try (Cursor cursor = scan(reader, from, to, Direction.FORWARD, n + 1)) {
            for (long i = 0; i <= n; i++) {
                if (!cursor.next()) {
                    throw damaged(id, "Fence counts more elements than there are");
                }
            }
            return placeOf(cursor.key()).copy();
        }
    }

    public static Bytes placeOf(Bytes rowKey) {
        return rowKey.from(Layout.ELEMENT_PREFIX);
    }

    /** The exact score of an element, given its row. */
    public static double scoreOf(Bytes place, Bytes rowValue) {
        return rowValue.isEmpty() ? SortKeys.score(place) : -0.0;
    }

    static boolean isNegativeZero(double score) {
        return score == 0 && 1 / score < 0;
    }

    public static StoreException damaged(long id, String text) {
        return new StoreException(StoreError.CORRUPT, text, Map.of("collection", id));
    }
}
