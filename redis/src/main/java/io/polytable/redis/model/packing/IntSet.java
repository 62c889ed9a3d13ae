package io.polytable.redis.model.packing;

import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Redis' set of integers: their width in bytes, their number, and the integers in ascending order, all little-endian.
 */
public final class IntSet {
    private IntSet() {}

    /** Takes ascending integers. */
    public static Bytes write(long[] ascending) {
        int width = Short.BYTES;
        for (long each : ascending) {
            width = Math.max(
                    width, each == (short) each ? Short.BYTES : each == (int) each ? Integer.BYTES : Long.BYTES);
        }
        PackedBytes bytes = new PackedBytes(2 * Integer.BYTES + width * ascending.length);
        bytes.littleEndian(width, Integer.BYTES).littleEndian(ascending.length, Integer.BYTES);
        for (long each : ascending) {
            bytes.littleEndian(each, width);
        }
        return bytes.toBytes();
    }

    /**
     * The integers as texts, ascending.
     *
     * @param kept called before each text is created
     * @throws MalformedPacking when it is no such set
     */
    public static List<Bytes> read(Bytes packed, LongConsumer kept) {
        PackedInput in = new PackedInput(packed);
        long width = in.littleEndian(Integer.BYTES) & 0xffffffffL;
        long count = in.littleEndian(Integer.BYTES) & 0xffffffffL;
        if ((width != Short.BYTES && width != Integer.BYTES && width != Long.BYTES) || count * width != in.left()) {
            throw new MalformedPacking("the sizes of an intset are wrong");
        }
        List<Bytes> members = new ArrayList<>();
        long previous = Long.MIN_VALUE;
        for (long i = 0; i < count; i++) {
            long member = in.littleEndian((int) width);
            if (i > 0 && member <= previous) {
                throw new MalformedPacking("an intset is not in order");
            }
            previous = member;
            kept.accept(0);
            members.add(Numbers.format(member));
        }
        return members;
    }
}
