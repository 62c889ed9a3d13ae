package io.polytable.redis.model.packing;

import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The predecessor of listpacks, which Redis still reads: total, offset of the last value and count, then each value
 * with the length of the one before it.
 */
public final class Ziplist {
    private static final int END = 0xff;
    private static final int COUNT_MAX = 65535;
    private static final int LONG_LENGTH = 0xfe;

    private Ziplist() {}

    /**
     * The values; integers as the texts that spell them.
     *
     * @param kept called before each value is created
     * @throws MalformedPacking when it is none
     */
    public static List<Bytes> read(Bytes packed, LongConsumer kept) {
        PackedInput in = new PackedInput(packed);
        long total = in.littleEndian(Integer.BYTES) & 0xffffffffL;
        long tail = in.littleEndian(Integer.BYTES) & 0xffffffffL;
        long count = in.littleEndian(Short.BYTES) & 0xffffL;
        List<Bytes> values = new ArrayList<>();
        int lastAt = packed.length() - in.left();
        int before = 0;
        int first = in.next();
        while (first != END) {
            int start = in.left() + 1;
            lastAt = packed.length() - start;
            long told = first < LONG_LENGTH ? first : in.littleEndian(Integer.BYTES) & 0xffffffffL;
            if (told != before) {
                throw new MalformedPacking("a value's length in a ziplist is wrong");
            }
            kept.accept(0);
            values.add(value(in));
            before = start - in.left();
            first = in.next();
        }
        in.end();
        if (total != packed.length() || tail != lastAt || (count != COUNT_MAX && count != values.size())) {
            throw new MalformedPacking("a ziplist's sizes are wrong");
        }
        return values;
    }

    private static Bytes value(PackedInput in) {
        int encoding = in.next();
        return switch (encoding >> 6) {
            case 0 -> in.take(encoding & 0x3f);
            case 1 -> in.take((encoding & 0x3fL) << 8 | in.next());
            case 2 -> in.take(in.bigEndian(Integer.BYTES));
            default -> Numbers.format(integer(in, encoding));
        };
    }

    private static long integer(PackedInput in, int encoding) {
        return switch (encoding) {
            case 0xc0 -> in.littleEndian(2);
            case 0xd0 -> in.littleEndian(4);
            case 0xe0 -> in.littleEndian(8);
            case 0xf0 -> in.littleEndian(3);
            case 0xfe -> in.littleEndian(1);
            default -> {
                if (encoding < 0xf1 || encoding > 0xfd) {
                    throw new MalformedPacking("unknown encoding in a ziplist");
                }
                yield encoding - 0xf1;
            }
        };
    }
}
