package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.util.zip.CRC32C;

/** The number of rows and a sum of their checksums, the same in whichever tables they are. */
public record RowSum(long rows, long sum) {
    /** Of all keys and elements; the place of a collection's elements does not count. */
    public static RowSum of(TableStore store, ShardTables tables) {
        long rows = 0;
        long sum = 0;
        for (Table keys : tables.keys()) {
            try (Cursor cursor = store.scan(keys, KeyRange.ALL)) {
                for (; cursor.next(); rows++) {
                    Header header = Header.decode(cursor.value());
                    Header placeless = header instanceof CollectionHeader collection ? collection.withHome(0) : header;
                    sum += checksum(cursor.key(), placeless.rowHead(), placeless.rowTail());
                }
            }
        }
        for (Table elements : tables.elements()) {
            try (Cursor cursor = store.scan(elements, KeyRange.ALL)) {
                for (; cursor.next(); rows++) {
                    sum += checksum(cursor.key(), cursor.value(), Bytes.EMPTY);
                }
            }
        }
        return new RowSum(rows, sum);
    }

    private static long checksum(Bytes... parts) {
        CRC32C crc = new CRC32C();
        long length = 0;
        for (Bytes part : parts) {
            crc.update(part.array(), part.offset(), part.length());
            length = 31 * length + part.length();
        }
        return mixed(crc.getValue() | length << Integer.SIZE);
    }

    /** Spreads the bits, so that differences do not cancel each other out in the sum. */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
