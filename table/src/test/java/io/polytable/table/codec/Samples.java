package io.polytable.table.codec;

import io.polytable.table.Bytes;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Values of every type: those where an encoding is likely to be wrong, and random ones. */
final class Samples {
    private Samples() {}

    /** The first and last values of the type, and those around a change of sign, length or escape. */
    static List<Value> edges(ColumnType type) {
        return switch (type) {
            case BYTES -> edgeBytes();
            case STRING ->
                texts(
                        "",
                        "\u0000",
                        "\u0000\u0000",
                        "\u0001",
                        "a",
                        "a\u0000",
                        "a\u0000b",
                        "aa",
                        "b",
                        "\u00e9",
                        "\uffff",
                        "\ud83d\ude00");
            case BOOLEAN -> List.of(new Value.OfBoolean(false), new Value.OfBoolean(true));
            case INT ->
                ints(Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -256, -255, -1, 0, 1, 255, 256, Integer.MAX_VALUE);
            case BIGINT -> longs().stream().<Value>map(Value.OfBigint::new).toList();
            case DOUBLE -> edgeDoubles();
            case TIMESTAMP ->
                longs().stream().<Value>map(Value.OfTimestamp::new).toList();
        };
    }

    private static List<Value> edgeBytes() {
        int[][] runs = {
            {},
            {0},
            {0, 0},
            {0, 1},
            {0, 0xff},
            {1},
            {1, 0},
            {0x61},
            {0x61, 0},
            {0x61, 0, 0x62},
            {0xff},
            {0xff, 0},
            {0xff, 0xff}
        };
        List<Value> values = new ArrayList<>();
        for (int[] run : runs) {
            BytesWriter out = new BytesWriter();
            for (int b : run) {
                out.u8(b);
            }
            values.add(new Value.OfBytes(out.toBytes()));
        }
        return values;
    }

    private static List<Value> texts(String... texts) {
        List<Value> values = new ArrayList<>();
        for (String text : texts) {
            values.add(new Value.OfString(text));
        }
        return values;
    }

    private static List<Value> ints(int... numbers) {
        List<Value> values = new ArrayList<>();
        for (int number : numbers) {
            values.add(new Value.OfInt(number));
        }
        return values;
    }

    private static List<Long> longs() {
        return List.of(
                Long.MIN_VALUE, Long.MIN_VALUE + 1, -256L, -255L, -1L, 0L, 1L, 255L, 256L, 1L << 32, Long.MAX_VALUE);
    }

    private static List<Value> edgeDoubles() {
        double[] numbers = {
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1.5,
            -1,
            -Double.MIN_NORMAL,
            -Double.MIN_VALUE,
            -0.0,
            0.0,
            Double.MIN_VALUE,
            Double.MIN_NORMAL,
            1,
            1.5,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NaN
        };
        List<Value> values = new ArrayList<>();
        for (double number : numbers) {
            values.add(new Value.OfDouble(number));
        }
        return values;
    }

    static <T> T pick(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    static ColumnType type(Random random) {
        return pick(List.of(ColumnType.values()), random);
    }

    /** Half of them edges, so that equal values and close neighbours are common. */
    static Value random(ColumnType type, Random random) {
        if (random.nextBoolean()) {
            return pick(edges(type), random);
        }
        return switch (type) {
            case BYTES -> new Value.OfBytes(randomBytes(random));
            case STRING -> new Value.OfString(randomText(random));
            case BOOLEAN -> new Value.OfBoolean(random.nextBoolean());
            case INT -> new Value.OfInt(random.nextInt());
            case BIGINT -> new Value.OfBigint(random.nextLong());
            case DOUBLE -> new Value.OfDouble(canonical(Double.longBitsToDouble(random.nextLong())));
            case TIMESTAMP -> new Value.OfTimestamp(random.nextLong());
        };
    }

    /** Records compare doubles by bits of the one NaN, so a random NaN must be that one to be found equal. */
    private static double canonical(double value) {
        return Double.isNaN(value) ? Double.NaN : value;
    }

    private static Bytes randomBytes(Random random) {
        byte[] run = new byte[random.nextInt(5)];
        for (int i = 0; i < run.length; i++) {
            run[i] = (byte) (random.nextInt(4) - 2);
        }
        return Bytes.of(run);
    }

    private static String randomText(Random random) {
        return random.ints(random.nextInt(5), 0, Character.MAX_CODE_POINT)
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
