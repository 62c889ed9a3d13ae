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
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyCodecTest {
    /** A key with everything in it that a property should hold for. */
    private record Shape(List<ColumnType> types, List<SortOrder> orders, int partitionColumns) {
        static Shape random(Random random) {
            int columns = 1 + random.nextInt(4);
            List<ColumnType> types = new ArrayList<>();
            List<SortOrder> orders = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                types.add(Samples.type(random));
                orders.add(Samples.pick(List.of(SortOrder.values()), random));
            }
            return new Shape(types, orders, 1 + random.nextInt(columns));
        }

        KeyCodec codec() {
            List<Column> columns = IntStream.range(0, types.size())
                    .mapToObj(i -> new Column("c" + i, types.get(i)))
                    .toList();
            List<KeyColumn> keys = IntStream.range(0, types.size())
                    .mapToObj(i -> new KeyColumn("c" + i, orders.get(i)))
                    .toList();
            return KeyCodec.of(new TableSpec(
                    new TableName("n", "t"),
                    TableKind.SHARED,
                    columns,
                    keys.subList(0, partitionColumns),
                    keys.subList(partitionColumns, keys.size()),
                    TableOptions.DEFAULT));
        }

        List<Value> randomKey(Random random) {
            return types.stream().map(type -> Samples.random(type, random)).toList();
        }

        Comparator<List<Value>> order() {
            return ValueOrder.of(orders);
        }
    }

    static Stream<Arguments> typesAndOrders() {
        return Stream.of(ColumnType.values())
                .flatMap(type -> Stream.of(SortOrder.values()).map(order -> Arguments.of(type, order)));
    }

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    @ParameterizedTest
    @MethodSource("typesAndOrders")
    void edgesKeepTheirOrderAndComeBack(ColumnType type, SortOrder order) {
        KeyCodec codec = new Shape(List.of(type), List.of(order), 1).codec();
        List<Value> edges = Samples.edges(type);
        for (int i = 0; i < edges.size(); i++) {
            Bytes encoded = codec.encode(List.of(edges.get(i))).bytes();
            assertThat(codec.decode(encoded)).containsExactly(edges.get(i));
            for (int j = 0; j < edges.size(); j++) {
                Bytes other = codec.encode(List.of(edges.get(j))).bytes();
                int expected = order == SortOrder.ASCENDING ? Integer.compare(i, j) : Integer.compare(j, i);
                assertThat(Integer.signum(encoded.compareTo(other)))
                        .as("%s to %s", edges.get(i), edges.get(j))
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keysOfSeveralColumnsAreOrderedColumnByColumn(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            Shape shape = Shape.random(random);
            KeyCodec codec = shape.codec();
            for (int j = 0; j < 50; j++) {
                List<Value> a = shape.randomKey(random);
                List<Value> b = shape.randomKey(random);
                int order = codec.encode(a).bytes().compareTo(codec.encode(b).bytes());
                assertThat(Integer.signum(order))
                        .as("seed %d, %s, %s to %s", seed, shape, a, b)
                        .isEqualTo(Integer.signum(shape.order().compare(a, b)));
                assertThat(codec.decode(codec.encode(a).bytes())).isEqualTo(a);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thePartitionIsWhatRowsOfEqualPartitionColumnsShare(long seed) {
        Random random = new Random(seed);
        Shape shape = Shape.random(random);
        KeyCodec codec = shape.codec();
        for (int i = 0; i < 100; i++) {
            List<Value> a = shape.randomKey(random);
            List<Value> b = shape.randomKey(random);
            boolean together = a.subList(0, shape.partitionColumns()).equals(b.subList(0, shape.partitionColumns()));
            assertThat(codec.encode(a).partition().equals(codec.encode(b).partition()))
                    .as("seed %d, %s, %s and %s", seed, shape, a, b)
                    .isEqualTo(together);
        }
    }

    @Test
    void valuesOfAnotherTypeOrNumberAreRefused() {
        KeyCodec codec = new Shape(List.of(ColumnType.INT), List.of(SortOrder.ASCENDING), 1).codec();
        Value one = new Value.OfInt(1);
        assertBadValue(() -> codec.encode(List.of(new Value.OfBigint(1))));
        assertBadValue(() -> codec.encode(List.of(new Value.Absent())));
        assertBadValue(() -> codec.encode(List.of()));
        assertBadValue(() -> codec.encode(List.of(one, one)));
        KeyCodec text = new Shape(List.of(ColumnType.STRING), List.of(SortOrder.ASCENDING), 1).codec();
        assertBadValue(() -> text.encode(List.of(new Value.OfString("\ud800"))));
    }

    private static void assertBadValue(ThrowingCallable call) {
        assertThat(catchThrowableOfType(StoreException.class, call).error()).isEqualTo(StoreError.BAD_VALUE);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyBytesDecodeToTheKeyTheyAreOrAreCorrupt(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Shape shape = Shape.random(random);
            KeyCodec codec = shape.codec();
            byte[] bytes = codec.encode(shape.randomKey(random)).bytes().toByteArray();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            Bytes damaged = Bytes.of(bytes, 0, random.nextInt(bytes.length + 1));
            try {
                assertThat(codec.encode(codec.decode(damaged)).bytes()).isEqualTo(damaged);
            } catch (StoreException e) {
                assertThat(e.error()).as("seed %d, %s", seed, shape).isEqualTo(StoreError.CORRUPT);
            }
        }
    }
}
