package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The oldest format of a small hash: a count, then fields and values with their lengths, and free space after each
 * value.
 */
public final class Zipmap {
    private static final int COUNT_MAX = 254;
    private static final int LONG_LENGTH = 254;
    private static final int END = 255;

    private Zipmap() {}

    /**
     * Fields and values alternate.
     *
     * @param kept called before each of them is created
     * @throws MalformedPacking when it is none
     */
    public static List<Bytes> read(Bytes packed, LongConsumer kept) {
        PackedInput in = new PackedInput(packed);
        int count = in.next();
        List<Bytes> pairs = new ArrayList<>();
        int first = in.next();
        while (first != END) {
            kept.accept(0);
            pairs.add(in.take(length(in, first)));
            long length = length(in, in.next());
            int free = in.next();
            kept.accept(0);
            pairs.add(in.take(length));
            in.skip(free);
            first = in.next();
        }
        in.end();
        if (count < COUNT_MAX && count != pairs.size() / 2) {
            throw new MalformedPacking("a zipmap's count is wrong");
        }
        return pairs;
    }

    private static long length(PackedInput in, int first) {
        if (first == END) {
            throw new MalformedPacking("a zipmap ends too early");
        }
        return first < LONG_LENGTH ? first : in.littleEndian(Integer.BYTES) & 0xffffffffL;
    }
}
