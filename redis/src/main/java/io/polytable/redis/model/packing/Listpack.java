package io.polytable.redis.model.packing;

import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Redis' listpack: a total, a count, the values one after the other, an end mark. A value that spells an integer is
 * written as an integer. Each value is followed by its length, for walks from the end.
 *
 * <pre>
 * bytes:4  count:2 (65535: count them)  { encoding and value  length, seven bits a byte, backwards }  ff
 * </pre>
 */
public final class Listpack {
    private static final int HEAD_BYTES = 6;
    private static final int END = 0xff;
    private static final int COUNT_MAX = 65535;
    private static final int INTEGER_DIGITS_MAX = 20;

    /** No listpack of Redis is larger. */
    private static final int BYTES_MAX = 1 << 30;

    private final PackedBytes bytes = new PackedBytes(BYTES_MAX);
    private int count;

    public Listpack() {
        bytes.littleEndian(0, HEAD_BYTES);
    }

    /** The number of values. */
    public int count() {
        return count;
    }

    /** The size of the whole listpack. */
    public int size() {
        return bytes.size() + 1;
    }

    public Listpack add(Bytes value) {
        OptionalLong integer = value.length() <= INTEGER_DIGITS_MAX ? Numbers.parseLong(value) : OptionalLong.empty();
        if (integer.isPresent()) {
            return add(integer.getAsLong());
        }
        int start = bytes.size();
        int length = value.length();
        if (length < 64) {
            bytes.add(0x80 | length);
        } else if (length < 4096) {
            bytes.add(0xe0 | length >> 8).add(length);
        } else {
            bytes.add(0xf0).littleEndian(length, Integer.BYTES);
        }
        bytes.add(value);
        return ended(start);
    }

    public Listpack add(long value) {
        int start = bytes.size();
        if (value >= 0 && value < 128) {
            bytes.add((int) value);
        } else if (value >= -4096 && value < 4096) {
            bytes.add(0xc0 | ((int) value >> 8 & 0x1f)).add((int) value);
        } else if (value == (short) value) {
            bytes.add(0xf1).littleEndian(value, 2);
        } else if (value >= -(1 << 23) && value < 1 << 23) {
            bytes.add(0xf2).littleEndian(value, 3);
        } else if (value == (int) value) {
            bytes.add(0xf3).littleEndian(value, 4);
        } else {
            bytes.add(0xf4).littleEndian(value, 8);
        }
        return ended(start);
    }

    private Listpack ended(int start) {
        int length = bytes.size() - start;
        int lengthBytes = lengthBytes(length);
        for (int i = lengthBytes - 1; i >= 0; i--) {
            int bits = length >>> (7 * i) & 0x7f;
            bytes.add(i == lengthBytes - 1 ? bits : bits | 0x80);
        }
        count++;
        return this;
    }

    private static int lengthBytes(long length) {
        if (length < 128) {
            return 1;
        }
        return length < 16383 ? 2 : length < 2097151 ? 3 : length < 268435455 ? 4 : 5;
    }

    /** The whole listpack. Nothing can be added afterwards. */
    public Bytes toBytes() {
        bytes.add(END);
        bytes.setLittleEndian(0, bytes.size(), Integer.BYTES);
        bytes.setLittleEndian(Integer.BYTES, Math.min(count, COUNT_MAX), Short.BYTES);
        return bytes.toBytes();
    }

    /** The size of a value in a listpack. */
    public static long bytesOf(Bytes value) {
        OptionalLong integer = value.length() <= INTEGER_DIGITS_MAX ? Numbers.parseLong(value) : OptionalLong.empty();
        long length = integer.isPresent() ? integerBytes(integer.getAsLong()) : stringBytes(value.length());
        return length + lengthBytes(length);
    }

    private static long integerBytes(long number) {
        if (number >= 0 && number < 128) {
            return 1;
        }
        int bits = Long.SIZE + 1 - Long.numberOfLeadingZeros(number < 0 ? ~number : number);
        return bits <= 13 ? 2 : bits <= 32 ? 1 + (bits + 7) / 8 : 1 + Long.BYTES;
    }

    private static long stringBytes(int length) {
        return (long) length + (length < 64 ? 1 : length < 4096 ? 2 : 5);
    }

    /** The size of an empty listpack. */
    public static int emptyBytes() {
        return HEAD_BYTES + 1;
    }

    /**
     * The values of a listpack; integers as the texts that spell them.
     *
     * @param kept called before each value is created: a byte here becomes an object there
     * @throws MalformedPacking when it is none
     */
    public static List<Bytes> read(Bytes packed, LongConsumer kept) {
        PackedInput in = new PackedInput(packed);
        long total = in.littleEndian(Integer.BYTES) & 0xffffffffL;
        long count = in.littleEndian(Short.BYTES) & 0xffffL;
        List<Bytes> values = new ArrayList<>();
        int first = in.next();
        while (first != END) {
            int before = in.left();
            kept.accept(0);
            values.add(value(in, first));
            skipLength(in, before - in.left() + 1);
            first = in.next();
        }
        in.end();
        if (total != packed.length() || (count != COUNT_MAX && count != values.size())) {
            throw new MalformedPacking("a listpack's sizes are wrong");
        }
        return values;
    }

    private static Bytes value(PackedInput in, int first) {
        if (first < 0x80) {
            return Numbers.format(first);
        }
        if (first < 0xc0) {
            return in.take(first & 0x3f);
        }
        if (first < 0xe0) {
            int bits = (first & 0x1f) << 8 | in.next();
            return Numbers.format(bits << 19 >> 19);
        }
        if (first < 0xf0) {
            return in.take((first & 0x0fL) << 8 | in.next());
        }
        return switch (first) {
            case 0xf0 -> in.take(in.littleEndian(Integer.BYTES) & 0xffffffffL);
            case 0xf1 -> Numbers.format(in.littleEndian(2));
            case 0xf2 -> Numbers.format(in.littleEndian(3));
            case 0xf3 -> Numbers.format(in.littleEndian(4));
            case 0xf4 -> Numbers.format(in.littleEndian(8));
            default -> throw new MalformedPacking("unknown encoding in a listpack");
        };
    }

    private static void skipLength(PackedInput in, int length) {
        int lengthBytes = lengthBytes(length);
        long told = 0;
        for (int i = 0; i < lengthBytes; i++) {
            told = told << 7 | (in.next() & 0x7f);
        }
        if (told != length) {
            throw new MalformedPacking("a value's length in a listpack is wrong");
        }
    }
}
