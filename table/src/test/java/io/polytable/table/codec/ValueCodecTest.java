package io.polytable.table.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValueCodecTest {
    private static final Value ABSENT = new Value.Absent();

    private static final TableSpec BARE = new TableSpec(
            new TableName("n", "t"),
            TableKind.SHARED,
            List.of(new Column("key", ColumnType.INT)),
            List.of(KeyColumn.ascending("key")),
            List.of(),
            TableOptions.DEFAULT);

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static TableSpec randomSpec(Random random) {
        TableSpec spec = BARE;
        int columns = random.nextInt(20);
        for (int i = 0; i < columns; i++) {
            spec = spec.withColumn(new Column("c" + i, Samples.type(random)));
        }
        return spec;
    }

    private static List<Value> randomValues(TableSpec spec, Random random) {
        return ValueCodec.of(spec).columns().stream()
                .map(column -> random.nextInt(3) == 0 ? ABSENT : Samples.random(column.type(), random))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void valuesComeBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            TableSpec spec = randomSpec(random);
            ValueCodec codec = ValueCodec.of(spec);
            List<Value> values = randomValues(spec, random);
            assertThat(codec.decode(codec.encode(values)))
                    .as("seed %d, %s", seed, spec)
                    .isEqualTo(values);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anAddedColumnReadsAsAbsentAndARemainingOldReaderSkipsIt(long seed) {
        Random random = new Random(seed);
        TableSpec before = randomSpec(random);
        ColumnType added = Samples.type(random);
        ValueCodec older = ValueCodec.of(before);
        ValueCodec newer = ValueCodec.of(before.withColumn(new Column("added", added)));
        List<Value> values = randomValues(before, random);
        List<Value> withAbsent = new ArrayList<>(values);
        withAbsent.add(ABSENT);
        assertThat(newer.decode(older.encode(values))).isEqualTo(withAbsent);
        assertThat(newer.encode(withAbsent)).isEqualTo(older.encode(values));
        List<Value> withValue = new ArrayList<>(values);
        withValue.add(Samples.random(added, random));
        assertThat(older.decode(newer.encode(withValue))).isEqualTo(values);
    }

    @Test
    void theNumbersBitsStayAsTheyWere() {
        ValueCodec codec = ValueCodec.of(BARE.withColumn(new Column("d", ColumnType.DOUBLE)));
        for (double value : new double[] {-0.0, 0.0, Double.longBitsToDouble(0x7ff8_0000_0000_0001L)}) {
            Value.OfDouble read = (Value.OfDouble) codec.decode(codec.encode(List.of(new Value.OfDouble(value))))
                    .get(0);
            assertThat(Double.doubleToRawLongBits(read.value())).isEqualTo(Double.doubleToRawLongBits(value));
        }
    }

    @Test
    void aValueOfAnotherTypeIsRefused() {
        ValueCodec codec = ValueCodec.of(BARE.withColumn(new Column("i", ColumnType.INT)));
        assertThat(catchThrowableOfType(StoreException.class, () -> codec.encode(List.of(new Value.OfString("1"))))
                        .error())
                .isEqualTo(StoreError.BAD_VALUE);
        assertThat(catchThrowableOfType(StoreException.class, () -> codec.encode(List.of()))
                        .error())
                .isEqualTo(StoreError.BAD_VALUE);
    }

    @Test
    void aNewerFormatIsRefusedByName() {
        Bytes newer = Bytes.of(new byte[] {ValueCodec.VERSION + 1, 0});
        assertThat(catchThrowableOfType(
                                StoreException.class, () -> ValueCodec.of(BARE).decode(newer))
                        .error())
                .isEqualTo(StoreError.NEWER_FORMAT);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void damagedBytesDecodeOrAreRefused(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            TableSpec spec = randomSpec(random);
            ValueCodec codec = ValueCodec.of(spec);
            byte[] bytes = codec.encode(randomValues(spec, random)).toByteArray();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            Bytes damaged = Bytes.of(bytes, 0, random.nextInt(bytes.length + 1));
            try {
                assertThat(codec.decode(damaged)).hasSameSizeAs(codec.columns());
            } catch (StoreException e) {
                assertThat(e.error()).as("seed %d, %s", seed, spec).isIn(StoreError.CORRUPT, StoreError.NEWER_FORMAT);
            }
        }
    }

    @Test
    void aRowCodecPutsKeyColumnsBackIntoTheirPlaces() {
        TableSpec spec = new TableSpec(
                new TableName("n", "t"),
                TableKind.SHARED,
                List.of(
                        new Column("a", ColumnType.INT),
                        new Column("b", ColumnType.STRING),
                        new Column("c", ColumnType.BOOLEAN),
                        new Column("d", ColumnType.BIGINT)),
                List.of(KeyColumn.ascending("d")),
                List.of(KeyColumn.descending("b")),
                TableOptions.DEFAULT);
        RowCodec codec = RowCodec.of(spec);
        List<Value> row =
                List.of(new Value.OfInt(1), new Value.OfString("x"), new Value.OfBoolean(true), new Value.OfBigint(7));
        assertThat(codec.row(codec.key(row).bytes(), codec.value(row))).isEqualTo(row);
        assertThat(codec.keys().decode(codec.key(row).bytes())).containsExactly(row.get(3), row.get(1));
        assertThat(catchThrowableOfType(StoreException.class, () -> codec.key(row.subList(1, 4)))
                        .error())
                .isEqualTo(StoreError.BAD_VALUE);
    }
}
