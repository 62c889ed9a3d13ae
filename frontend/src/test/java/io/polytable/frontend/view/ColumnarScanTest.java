package io.polytable.frontend.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.column.Bound;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columnar batches hold exactly the rows that decoding and testing one by one would yield. */
class ColumnarScanTest {
    private final MemoryStore store = new MemoryStore();

    /** A table of a random shape: every type once or twice, some columns in the key, in any order. */
    private Table table(Random random, String name) {
        List<Column> columns = new ArrayList<>();
        for (ColumnType type : ColumnType.values()) {
            columns.add(new Column("a_" + type, type));
            columns.add(new Column("b_" + type, type));
        }
        Collections.shuffle(columns, random);
        List<KeyColumn> key = columns.stream()
                .limit(1 + random.nextInt(4))
                .map(column ->
                        new KeyColumn(column.name(), random.nextBoolean() ? SortOrder.ASCENDING : SortOrder.DESCENDING))
                .toList();
        Collections.shuffle(columns, random);
        int partition = 1 + random.nextInt(key.size());
        return store.create(new TableSpec(
                new TableName("test", name),
                TableKind.SHARED,
                columns,
                key.subList(0, partition),
                key.subList(partition, key.size()),
                TableOptions.DEFAULT));
    }

    private static Value value(Random random, ColumnType type) {
        int small = random.nextInt(4);
        boolean edge = random.nextInt(5) == 0;
        return switch (type) {
            case BYTES -> new Value.OfBytes(Bytes.of(bytes(random, edge ? 3 : 1)));
            case STRING -> new Value.OfString(edge ? "\u00e9\u0000\ud83d\ude00" : "s" + small);
            case BOOLEAN -> new Value.OfBoolean(random.nextBoolean());
            case INT -> new Value.OfInt(edge ? Integer.MIN_VALUE + small : small - 2);
            case BIGINT -> new Value.OfBigint(edge ? Long.MAX_VALUE - small : small - 2);
            case DOUBLE -> new Value.OfDouble(edge ? -0.0 : small == 3 ? Double.NEGATIVE_INFINITY : small - 1.5);
            case TIMESTAMP -> new Value.OfTimestamp(edge ? Long.MIN_VALUE + small : small);
        };
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(3) - 1);
        }
        return bytes;
    }

    private void fill(Random random, Table table, int rows) {
        RowCodec codec = RowCodec.of(table.spec());
        List<String> key =
                table.spec().keyColumns().stream().map(KeyColumn::column).toList();
        Batch batch = new Batch();
        for (int i = 0; i < rows; i++) {
            List<Value> row = new ArrayList<>();
            for (Column column : table.spec().columns()) {
                boolean absent = !key.contains(column.name()) && random.nextInt(3) == 0;
                row.add(absent ? new Value.Absent() : value(random, column.type()));
            }
            batch.put(table, codec.key(row), codec.value(row));
        }
        store.commit(batch);
    }

    private static ViewScan scan(Random random, Table table) {
        List<String> names = new ArrayList<>(
                table.spec().columns().stream().map(Column::name).toList());
        Collections.shuffle(names, random);
        ViewScan scan = ViewScan.of(names.subList(0, random.nextInt(names.size() + 1)));
        for (KeyColumn key : table.spec().keyColumns()) {
            ColumnType type = table.spec()
                    .columns()
                    .get(table.spec().indexOf(key.column()))
                    .type();
            if (random.nextBoolean()) {
                scan = scan.within(key.column(), range(random, type));
            }
        }
        return random.nextInt(3) == 0 ? scan.first(random.nextInt(20)) : scan;
    }

    private static ColumnRange range(Random random, ColumnType type) {
        Value value = value(random, type);
        return switch (random.nextInt(5)) {
            case 0, 1 -> ColumnRange.equalTo(value);
            case 2 -> ColumnRange.atLeast(value);
            case 3 -> ColumnRange.below(value);
            default -> new ColumnRange(new Bound.Exclusive(value), new Bound.Inclusive(value(random, type)));
        };
    }

    /** The rows that the scan asks for, found the plain way. */
    private List<List<Value>> expected(Table table, ViewScan scan) {
        RowCodec codec = RowCodec.of(table.spec());
        List<List<Value>> rows = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next() && rows.size() < scan.limit()) {
                List<Value> row = codec.row(cursor.key(), cursor.value());
                boolean shown = scan.ranges().entrySet().stream()
                        .allMatch(range ->
                                contains(range.getValue(), row.get(table.spec().indexOf(range.getKey()))));
                if (shown) {
                    rows.add(scan.columns().stream()
                            .map(name -> row.get(table.spec().indexOf(name)))
                            .toList());
                }
            }
        }
        return rows;
    }

    private static boolean contains(ColumnRange range, Value value) {
        return reaches(range.lower(), value, 1) && reaches(range.upper(), value, -1);
    }

    private static boolean reaches(Bound bound, Value value, int sign) {
        if (bound instanceof Bound.Inclusive inclusive) {
            return sign * compare(value, inclusive.value()) >= 0;
        }
        return !(bound instanceof Bound.Exclusive exclusive) || sign * compare(value, exclusive.value()) > 0;
    }

    private static int compare(Value a, Value b) {
        if (a instanceof Value.OfBytes x && b instanceof Value.OfBytes y) {
            return x.value().compareTo(y.value());
        }
        if (a instanceof Value.OfString x && b instanceof Value.OfString y) {
            return Bytes.utf8(x.value()).compareTo(Bytes.utf8(y.value()));
        }
        if (a instanceof Value.OfBoolean x && b instanceof Value.OfBoolean y) {
            return Boolean.compare(x.value(), y.value());
        }
        if (a instanceof Value.OfInt x && b instanceof Value.OfInt y) {
            return Integer.compare(x.value(), y.value());
        }
        if (a instanceof Value.OfBigint x && b instanceof Value.OfBigint y) {
            return Long.compare(x.value(), y.value());
        }
        if (a instanceof Value.OfDouble x && b instanceof Value.OfDouble y) {
            return Double.compare(x.value(), y.value());
        }
        return Long.compare(((Value.OfTimestamp) a).micros(), ((Value.OfTimestamp) b).micros());
    }

    private List<List<Value>> read(View view, ViewScan scan, int capacity) {
        List<List<Value>> rows = new ArrayList<>();
        ColumnBatch batch = new ColumnBatch(scan.columnsOf(view), capacity);
        try (View.BatchCursor cursor = view.open(store, scan)) {
            while (cursor.next(batch)) {
                assertThat(batch.rows()).isBetween(1, capacity);
                for (int i = 0; i < batch.rows(); i++) {
                    int row = i;
                    rows.add(batch.columns().stream()
                            .map(column -> column.value(row))
                            .toList());
                }
            }
            assertThat(cursor.next(batch)).isFalse();
            assertThat(batch.rows()).isZero();
        }
        return rows;
    }

    /** A typed table that pushes nothing down, so that all testing is the batches'. */
    private record TypedView(Table table, RowCodec codec) implements View {
        static TypedView of(Table table) {
            return new TypedView(table, RowCodec.of(table.spec()));
        }

        @Override
        public TableName name() {
            return table.name();
        }

        @Override
        public List<Column> columns() {
            return table.spec().columns();
        }

        @Override
        public List<String> key() {
            return table.spec().keyColumns().stream().map(KeyColumn::column).toList();
        }

        @Override
        public ViewRows candidates(Reader reader, ViewScan scan) {
            return new TypedRows(codec, reader.scan(table, KeyRange.ALL));
        }
    }

    private static final class TypedRows implements ViewRows {
        private final RowCodec codec;
        private final Cursor cursor;
        private List<Value> row = List.of();

        TypedRows(RowCodec codec, Cursor cursor) {
            this.codec = codec;
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            boolean found = cursor.next();
            row = found ? codec.row(cursor.key(), cursor.value()) : List.of();
            return found;
        }

        @Override
        public void add(int column, ColumnVector target) {
            target.add(row.get(column));
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void facesViewsShowWhatTestingRowByRowShows(long seed) {
        Random random = new Random(seed);
        Table table = table(random, "t");
        fill(random, table, 100);
        TypedView view = TypedView.of(table);
        for (int i = 0; i < 30; i++) {
            ViewScan scan = scan(random, table);
            assertThat(read(view, scan, 64)).as("seed %d, %s", seed, scan).isEqualTo(expected(table, scan));
        }
    }

    private static final TableSpec NOTES = new TableSpec(
            new TableName("test", "notes"),
            TableKind.SHARED,
            List.of(new Column("id", ColumnType.BIGINT), new Column("text", ColumnType.STRING)),
            List.of(KeyColumn.ascending("id")),
            List.of(),
            TableOptions.DEFAULT);

    private static void assertBadValue(ThrowingCallable call) {
        assertThat(catchThrowableOfType(StoreException.class, call).error()).isEqualTo(StoreError.BAD_VALUE);
    }

    @Test
    void whatAViewDoesNotHaveIsRefused() {
        TypedView view = TypedView.of(store.create(NOTES));
        ColumnRange one = ColumnRange.equalTo(new Value.OfBigint(1));
        assertBadValue(() -> view.open(store, ViewScan.of(List.of("nothing"))).close());
        assertBadValue(() ->
                view.open(store, ViewScan.of(List.of("id")).within("text", one)).close());
        assertBadValue(() -> view.open(
                        store, ViewScan.of(List.of("id")).within("id", ColumnRange.equalTo(new Value.OfString("1"))))
                .close());
    }

    @Test
    void vectorsAreArraysThatOthersCanTakeOver() {
        Table table = store.create(NOTES);
        RowCodec codec = RowCodec.of(NOTES);
        Batch rows = new Batch();
        for (int i = 0; i < 70; i++) {
            Value text = i % 2 == 0 ? new Value.OfString("n" + i) : new Value.Absent();
            List<Value> row = List.of(new Value.OfBigint(i), text);
            rows.put(table, codec.key(row), codec.value(row));
        }
        store.commit(rows);
        ColumnBatch batch = new ColumnBatch(NOTES.columns());
        try (View.BatchCursor cursor = TypedView.of(table).open(store, ViewScan.of(List.of("id", "text")))) {
            assertThat(cursor.next(batch)).isTrue();
        }
        ColumnVector.OfLongs ids = (ColumnVector.OfLongs) batch.column(0);
        ColumnVector.OfBytes texts = (ColumnVector.OfBytes) batch.column(1);
        assertThat(ids.values()).startsWith(0, 1, 2);
        assertThat(ids.absent()).isZero();
        assertThat(texts.absent()).isEqualTo(35);
        assertThat(texts.validity()[0]).isEqualTo(0x5555555555555555L);
        assertThat(texts.validity()[1]).isEqualTo(0b010101);
        assertThat(texts.offsets()).startsWith(0, 2, 2, 4, 4);
        assertThat(new String(texts.data(), 0, 4, StandardCharsets.UTF_8)).isEqualTo("n0n2");
    }

    @Test
    void aBatchEndsWhenItsValuesAreMany() {
        Table table = store.create(NOTES);
        RowCodec codec = RowCodec.of(NOTES);
        String large = "x".repeat(ColumnBatch.BYTES_FULL / 3);
        Batch rows = new Batch();
        for (int i = 0; i < 10; i++) {
            List<Value> row = List.of(new Value.OfBigint(i), new Value.OfString(large));
            rows.put(table, codec.key(row), codec.value(row));
        }
        store.commit(rows);
        ColumnBatch batch = new ColumnBatch(NOTES.columns());
        List<Integer> sizes = new ArrayList<>();
        try (View.BatchCursor cursor = TypedView.of(table).open(store, ViewScan.of(List.of("id", "text")))) {
            while (cursor.next(batch)) {
                sizes.add(batch.rows());
            }
        }
        assertThat(sizes).containsExactly(4, 4, 2);
    }

    @Test
    void noColumnsAtAllCountRows() {
        Table table = store.create(NOTES);
        RowCodec codec = RowCodec.of(NOTES);
        Batch rows = new Batch();
        for (int i = 0; i < 5000; i++) {
            List<Value> row = List.of(new Value.OfBigint(i), new Value.Absent());
            rows.put(table, codec.key(row), codec.value(row));
        }
        store.commit(rows);
        ColumnBatch batch = new ColumnBatch(List.of());
        int count = 0;
        try (View.BatchCursor cursor = TypedView.of(table).open(store, ViewScan.of(List.of()))) {
            while (cursor.next(batch)) {
                count += batch.rows();
            }
        }
        assertThat(count).isEqualTo(5000);
    }
}
