package io.polytable.redis.model.stream.entry;

import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.OptionalLong;

/**
 * The size of a value in Redis' listpack. Nothing is stored here that way, but where Redis ends a node, and so what
 * approximate trimming removes, depends on these sizes.
 */
final class PackedSize {
    /** The bytes around the values: total and count in front, an end mark after them. */
    static final int OF_NOTHING = 7;

    private static final int INTEGER_DIGITS_MAX = 20;

    private PackedSize() {}

    /** A string that spells an integer is packed as an integer. */
    static long of(Bytes value) {
        OptionalLong integer = value.length() <= INTEGER_DIGITS_MAX ? Numbers.parseLong(value) : OptionalLong.empty();
        return integer.isPresent() ? of(integer.getAsLong()) : withLength(bytesOfString(value.length()));
    }

    static long of(long integer) {
        return withLength(bytesOfInteger(integer));
    }

    private static int bytesOfInteger(long integer) {
        if (integer >= 0 && integer < 128) {
            return 1;
        }
        int bits = Long.SIZE + 1 - Long.numberOfLeadingZeros(integer < 0 ? ~integer : integer);
        return bits <= 13 ? 2 : bits <= 16 ? 3 : bits <= 24 ? 4 : bits <= 32 ? 5 : 9;
    }

    private static long bytesOfString(int length) {
        return length + (length < 64 ? 1L : length < 4096 ? 2L : 5L);
    }

    /** Each value is followed by its length, for walks from the end. */
    private static long withLength(long bytes) {
        if (bytes < 128) {
            return bytes + 1;
        }
        return bytes + (bytes < 16383 ? 2 : bytes < 2097151 ? 3 : bytes < 268435455 ? 4 : 5);
    }
}
