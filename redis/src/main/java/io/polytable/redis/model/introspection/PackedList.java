package io.polytable.redis.model.introspection;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.OptionalLong;

/** Tells whether Redis would keep a list in one listpack, given {@code list-max-listpack-size}. */
final class PackedList {
    /** Header and end of a listpack. */
    private static final long FRAME_BYTES = 7;

    /** What -1 to -5 stand for. */
    private static final long[] BYTES_MAX = {4096, 8192, 16384, 32768, 65536};

    /** No listpack with a limit of elements gets larger. */
    private static final long SAFE_BYTES_MAX = 8192;

    private static final int INTEGER_BYTES_MAX = 20;

    private PackedList() {}

    static boolean fits(Space space, CollectionHeader list, long limit) {
        long elements = limit < 0 ? Long.MAX_VALUE : Math.max(1, limit);
        long bytesMax = limit < 0 ? BYTES_MAX[(int) Math.min(BYTES_MAX.length, -limit) - 1] : SAFE_BYTES_MAX;
        // No element takes less than two bytes: a longer list need not be read.
        return list.size() <= Math.min(elements, bytesMax / 2) && bytes(space, list, bytesMax) <= bytesMax;
    }

    private static long bytes(Space space, CollectionHeader list, long bytesMax) {
        long bytes = FRAME_BYTES;
        try (Cursor rows = space.unit()
                .writes()
                .scan(
                        space.unit().tables().elements(list.home()),
                        ListShape.elements(list),
                        Direction.FORWARD,
                        list.size())) {
            while (bytes <= bytesMax && rows.next()) {
                bytes += entryBytes(rows.value());
            }
        }
        return bytes;
    }

    private static long entryBytes(Bytes value) {
        OptionalLong number = value.length() <= INTEGER_BYTES_MAX ? Numbers.parseLong(value) : OptionalLong.empty();
        long bytes = number.isPresent() ? integerBytes(number.getAsLong()) : stringBytes(value.length());
        return bytes + lengthBytes(bytes);
    }

    private static long integerBytes(long number) {
        if (number >= 0 && number < 128) {
            return 1;
        }
        int bits = 65 - Long.numberOfLeadingZeros(number < 0 ? ~number : number);
        if (bits <= 13) {
            return 2;
        }
        return bits <= 32 ? 1 + (bits + 7) / 8 : 1 + Long.BYTES;
    }

    private static long stringBytes(int length) {
        return (long) length + (length < 64 ? 1 : length < 4096 ? 2 : 5);
    }

    /** An entry ends with its own length, seven bits a byte. */
    private static long lengthBytes(long bytes) {
        return Math.max(1, (70 - Long.numberOfLeadingZeros(bytes)) / 7);
    }
}
