package io.polytable.sql.query.scan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.column.ColumnVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.duckdb.DuckDBWritableVector;

/** Copies a column of a batch into DuckDB's vector: numbers as they are, text as the bytes it is stored in. */
public final class VectorWriter {
    private static final byte[] EMPTY = new byte[0];
    private static final String INITY = "inity";
    private static final HexFormat HEX = HexFormat.of();

    private final SqlType type;
    private final boolean asText;
    private final boolean key;
    private boolean sawInfinity;

    VectorWriter(Relation relation, RelationColumn column) {
        type = column.type();
        asText = ScanTypes.isShownAsText(relation, type);
        key = relation.key().contains(column.name());
    }

    /** Whether a value so far was infinite, or a text that a cast would make infinite. */
    boolean sawInfinity() {
        return sawInfinity;
    }

    /** Whether a cast to a number would make the text infinite, or a part of it that a function may extract. */
    public static boolean hasInfinity(String text) {
        byte[] data = ascii(text);
        return hasInfinity(data, 0, data.length);
    }

    /** Searches for {@code inf} or {@code infinity}, but not for other words with that beginning. */
    private static boolean hasInfinity(byte[] data, int from, int to) {
        int i = from + 2;
        while (i < to) {
            // Tests the third letter first: it decides how far the search may skip, as in Boyer-Moore.
            switch (data[i] | 0x20) {
                case 'f' -> {
                    boolean ends = i + 1 == to || !isLetter(data[i + 1]);
                    if ((data[i - 1] | 0x20) == 'n'
                            && (data[i - 2] | 0x20) == 'i'
                            && (ends || isInity(data, i + 1, to))) {
                        return true;
                    }
                    i += 3;
                }
                case 'n' -> i++;
                case 'i' -> i += 2;
                default -> i += 3;
            }
        }
        return false;
    }

    private static boolean isLetter(byte one) {
        int lower = one | 0x20;
        return lower >= 'a' && lower <= 'z';
    }

    private static boolean isInity(byte[] data, int from, int to) {
        for (int i = 0; i < INITY.length(); i++) {
            if (from + i >= to || (data[from + i] | 0x20) != INITY.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    void write(ColumnVector from, DuckDBWritableVector to) {
        int rows = from.size();
        if (from instanceof ColumnVector.OfInts ints) {
            ints(ints.values(), rows, to);
        } else if (from instanceof ColumnVector.OfLongs longs) {
            for (int row = 0; row < rows; row++) {
                to.setLong(row, longs.values()[row]);
            }
        } else if (from instanceof ColumnVector.OfDoubles doubles) {
            doubles(doubles.values(), rows, to);
        } else if (from instanceof ColumnVector.OfBooleans booleans) {
            for (int row = 0; row < rows; row++) {
                to.setBoolean(row, booleans.values()[row] == 1);
            }
        } else if (from instanceof ColumnVector.OfBytes bytes) {
            bytes(bytes, rows, to);
        }
        if (from.absent() > 0) {
            for (int row = 0; row < rows; row++) {
                if (!from.isPresent(row)) {
                    to.setNull(row);
                }
            }
        }
    }

    private void ints(int[] values, int rows, DuckDBWritableVector to) {
        boolean narrow = type.is(SqlType.Kind.SMALLINT);
        for (int row = 0; row < rows; row++) {
            if (narrow) {
                to.setShort(row, (short) values[row]);
            } else {
                to.setInt(row, values[row]);
            }
        }
    }

    private void doubles(double[] values, int rows, DuckDBWritableVector to) {
        boolean narrow = type.is(SqlType.Kind.FLOAT);
        for (int row = 0; row < rows; row++) {
            sawInfinity |= Double.isInfinite(values[row]);
            if (narrow) {
                to.setFloat(row, (float) values[row]);
            } else {
                to.setDouble(row, values[row]);
            }
        }
    }

    private void bytes(ColumnVector.OfBytes from, int rows, DuckDBWritableVector to) {
        byte[][] texts = new byte[rows][];
        for (int row = 0; row < rows; row++) {
            texts[row] = from.isPresent(row) ? text(from.data(), from.offsets()[row], from.offsets()[row + 1]) : EMPTY;
        }
        to.setStringUtf8Batch(0, texts);
    }

    private byte[] text(byte[] data, int from, int to) {
        return switch (type.kind()) {
            case BYTES -> asText ? shown(data, from, to) : ascii(HEX.formatHex(data, from, to));
            case UUID -> ascii(HEX.formatHex(data, from, to));
            case DECIMAL -> decimal(data, from, to);
            default -> {
                sawInfinity = sawInfinity || hasInfinity(data, from, to);
                yield Arrays.copyOfRange(data, from, to);
            }
        };
    }

    private static byte[] shown(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] < ' ' || data[i] == '\\') {
                return Texts.bytes(Bytes.of(data, from, to - from)).getBytes(StandardCharsets.UTF_8);
            }
        }
        return Arrays.copyOfRange(data, from, to);
    }

    /** In keys the sign bit is flipped, so that bytes sort as the numbers do. */
    private byte[] decimal(byte[] data, int from, int to) {
        byte[] unscaled = Arrays.copyOfRange(data, from, to);
        if (key) {
            unscaled[0] ^= (byte) 0x80;
        }
        return ascii(new BigDecimal(new BigInteger(unscaled), type.scale()).toPlainString());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
