package io.polytable.sql.cache;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The block boundaries of a range, and its size.
 *
 * @param bounds the first keys of all blocks but the first
 * @param bytes of keys and values; beyond the limit the count stops early
 */
record BlockBounds(List<Bytes> bounds, long rows, long bytes) {
    static BlockBounds of(Reader reader, Table table, KeyRange range, int blockRows, long bytesMax) {
        List<Bytes> bounds = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        try (Cursor cursor = reader.scan(table, range, Direction.FORWARD, Long.MAX_VALUE)) {
            while (bytes <= bytesMax && cursor.next()) {
                if (rows > 0 && rows % blockRows == 0) {
                    bounds.add(cursor.key().copy());
                }
                ByteSlice key = cursor.keySlice();
                bytes += key.length() + cursor.valueSlice().length();
                rows++;
            }
        }
        return new BlockBounds(bounds, rows, bytes);
    }
}
