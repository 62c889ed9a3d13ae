package io.polytable.benchmarks;

import com.sun.management.ThreadMXBean;
import io.polytable.store.engine.Engine;
import io.polytable.table.Batch;
import io.polytable.table.Column;
import io.polytable.table.ColumnBatch;
import io.polytable.table.ColumnType;
import io.polytable.table.ColumnVector;
import io.polytable.table.KeyColumn;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.Value;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.view.SpecView;
import io.polytable.table.view.TableView;
import io.polytable.table.view.ViewScan;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Columnar reads of a typed table of four columns: rows per second of one thread, and garbage per row. */
final class ColumnarBenchmark {
    private static final int ROWS = 2_000_000;
    private static final int ROUNDS = 3;

    private static final TableSpec SPEC = new TableSpec(
            new TableName("bench", "orders"),
            TableKind.SHARED,
            List.of(
                    new Column("id", ColumnType.BIGINT),
                    new Column("customer", ColumnType.STRING),
                    new Column("price", ColumnType.DOUBLE),
                    new Column("placed", ColumnType.TIMESTAMP)),
            List.of(KeyColumn.ascending("id")),
            List.of(),
            TableOptions.DEFAULT);

    private final PrintStream out;
    private final Engine engine;
    private final Table table;

    ColumnarBenchmark(PrintStream out, Engine engine) {
        this.out = out;
        this.engine = engine;
        table = engine.create(SPEC);
    }

    void run() {
        fill();
        engine.settle();
        out.printf("%,d settled rows of four columns, in batches of %,d rows, one thread%n", ROWS, ColumnBatch.ROWS);
        read("all columns", List.of("id", "customer", "price", "placed"));
        read("two columns", List.of("id", "price"));
        read("key column only", List.of("id"));
    }

    private void fill() {
        RowCodec codec = RowCodec.of(SPEC);
        Batch batch = new Batch();
        for (int i = 0; i < ROWS; i++) {
            List<Value> row = List.of(
                    new Value.OfBigint(i),
                    new Value.OfString("customer " + i % 10_000),
                    new Value.OfDouble(i / 100.0),
                    new Value.OfTimestamp(1_700_000_000_000_000L + i));
            batch.put(table, codec.key(row), codec.value(row));
            if (batch.size() == 1000) {
                engine.commit(batch);
                engine.flush();
                batch.clear();
            }
        }
        engine.commit(batch);
    }

    private void read(String what, List<String> columns) {
        SpecView view = new SpecView(table);
        ViewScan scan = ViewScan.of(columns);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        double garbage = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long allocated = thread.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            long sum = sum(view, scan);
            best = Math.min(best, System.nanoTime() - start);
            garbage = Math.min(garbage, (double) (thread.getCurrentThreadAllocatedBytes() - allocated) / ROWS);
            if (sum != (long) ROWS * (ROWS - 1) / 2) {
                throw new IllegalStateException("not every row was read: " + sum);
            }
        }
        out.printf("  %-16s %,12.0f rows/s, %.2f bytes allocated a row%n", what, ROWS * 1e9 / (double) best, garbage);
    }

    private long sum(SpecView view, ViewScan scan) {
        long sum = 0;
        ColumnBatch batch = new ColumnBatch(scan.columnsOf(view));
        try (TableView.BatchCursor cursor = view.open(engine, scan)) {
            while (cursor.next(batch)) {
                long[] ids = ((ColumnVector.OfLongs) batch.column(0)).values();
                for (int i = 0; i < batch.rows(); i++) {
                    sum += ids[i];
                }
            }
        }
        return sum;
    }
}
