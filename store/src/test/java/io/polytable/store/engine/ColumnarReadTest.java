package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.KeyCodec;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.codec.ValueCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import io.polytable.table.write.Batch;
import io.polytable.table.write.WriteSet;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of columns out of the engine: settled rows, fresh ones over them, uncommitted ones over those. */
class ColumnarReadTest {
    private static final int ROWS = 30_000;

    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "orders"),
            TableKind.SHARED,
            List.of(
                    new Column("id", ColumnType.BIGINT),
                    new Column("customer", ColumnType.STRING),
                    new Column("price", ColumnType.DOUBLE),
                    new Column("paid", ColumnType.BOOLEAN)),
            List.of(KeyColumn.ascending("id")),
            List.of(),
            TableOptions.DEFAULT);

    private static final RowCodec CODEC = RowCodec.of(SPEC);

    private static List<Value> order(long id, double price) {
        return List.of(
                new Value.OfBigint(id),
                new Value.OfString("customer " + id % 100),
                new Value.OfDouble(price),
                id % 3 == 0 ? new Value.Absent() : new Value.OfBoolean(id % 2 == 0));
    }

    private static Batch orders(Table table, long from, long to, double price) {
        Batch batch = new Batch();
        for (long id = from; id < to; id++) {
            List<Value> row = order(id, price);
            batch.put(table, CODEC.key(row), CODEC.value(row));
        }
        return batch;
    }

    /** The number of rows, and the sums of all ids and prices. */
    private record Sums(long rows, long ids, double prices) {}

    private static Sums read(Reader reader, Table table, KeyRange range, ColumnBatch batch) {
        long rows = 0;
        long ids = 0;
        double prices = 0;
        KeyCodec.VectorReader keys = CODEC.keys().into(vectors(CODEC.keys().columns(), batch));
        ValueCodec.VectorReader values =
                CODEC.values().into(vectors(CODEC.values().columns(), batch));
        try (Cursor cursor = reader.scan(table, range)) {
            boolean more = true;
            while (more) {
                batch.clear();
                more = fill(batch, cursor, keys, values);
                rows += batch.rows();
                long[] idValues = ((ColumnVector.OfLongs) batch.column(0)).values();
                double[] priceValues = ((ColumnVector.OfDoubles) batch.column(2)).values();
                for (int i = 0; i < batch.rows(); i++) {
                    ids += idValues[i];
                    prices += priceValues[i];
                }
            }
        }
        return new Sums(rows, ids, prices);
    }

    private static boolean fill(
            ColumnBatch batch, Cursor cursor, KeyCodec.VectorReader keys, ValueCodec.VectorReader values) {
        while (!batch.isFull()) {
            if (!cursor.next()) {
                return false;
            }
            keys.read(cursor.keySlice());
            values.read(cursor.valueSlice());
            batch.endRow();
        }
        return true;
    }

    private static List<Optional<ColumnVector>> vectors(List<Column> of, ColumnBatch batch) {
        return of.stream()
                .map(column -> Optional.of(batch.column(SPEC.indexOf(column.name()))))
                .toList();
    }

    @Test
    void readsRowsWhereverTheyAre(@TempDir Path directory) {
        try (Engine engine = new EngineFixture(directory).open(EngineFixture.lazy())) {
            Table table = engine.create(SPEC);
            engine.commit(orders(table, 0, ROWS, 1));
            engine.settle();
            engine.commit(orders(table, 100, 200, 2));
            WriteSet work = new WriteSet(engine);
            List<Value> own = order(150, 5);
            work.put(table, CODEC.key(own), CODEC.value(own));
            work.delete(table, CODEC.key(order(0, 0)));
            ColumnBatch batch = new ColumnBatch(SPEC.columns());
            long allIds = (long) ROWS * (ROWS - 1) / 2;
            assertThat(read(engine, table, KeyRange.ALL, batch)).isEqualTo(new Sums(ROWS, allIds, ROWS + 100));
            assertThat(read(work, table, KeyRange.ALL, batch)).isEqualTo(new Sums(ROWS - 1, allIds, ROWS + 102));
            KeyRange some = KeyRange.between(
                    CODEC.key(order(99, 0)).bytes(), CODEC.key(order(102, 0)).bytes());
            assertThat(read(work, table, some, batch)).isEqualTo(new Sums(3, 300, 5));
        }
    }

    @Test
    void settledRowsAreReadWithoutGarbage(@TempDir Path directory) {
        try (Engine engine = new EngineFixture(directory).open(EngineFixture.lazy())) {
            Table table = engine.create(SPEC);
            engine.commit(orders(table, 0, ROWS, 1));
            engine.settle();
            ColumnBatch batch = new ColumnBatch(SPEC.columns());
            Sums expected = read(engine, table, KeyRange.ALL, batch);
            ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = thread.getCurrentThreadAllocatedBytes();
            assertThat(read(engine, table, KeyRange.ALL, batch)).isEqualTo(expected);
            long perRow = (thread.getCurrentThreadAllocatedBytes() - before) / ROWS;
            assertThat(perRow).as("bytes allocated a row").isLessThan(8);
        }
    }
}
