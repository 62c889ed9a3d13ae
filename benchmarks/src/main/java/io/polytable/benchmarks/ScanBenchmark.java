package io.polytable.benchmarks;

import io.polytable.store.engine.Engine;
import io.polytable.table.ByteSlice;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Full scans of a table that is not in memory, into a consumer that reads each key and value without a copy; compared
 * with an iterator of plain RocksDB, which copies them into reused buffers.
 */
final class ScanBenchmark {
    private static final double AIM_ROWS_A_SECOND = 1_500_000;
    private static final double AIM_RATIO = 0.8;

    /** The first ones warm up. */
    private static final int ROUNDS = 6;

    private final PrintStream out;

    ScanBenchmark(PrintStream out) {
        this.out = out;
    }

    void run(Engine engine, Table table, PlainRocks rocks) throws Exception {
        long rows = scan(engine, table);
        Measure ours = null;
        Measure theirs = null;
        for (int i = 0; i < ROUNDS; i++) {
            Measure theirNext = Measure.of(rows, rocks::scanAll);
            Measure ourNext = Measure.of(rows, () -> scan(engine, table));
            theirs = theirs == null || theirNext.rowsPerSecond() > theirs.rowsPerSecond() ? theirNext : theirs;
            ours = ours == null || ourNext.rowsPerSecond() > ours.rowsPerSecond() ? ourNext : ours;
        }
        if (ours == null || theirs == null) {
            throw new IllegalStateException("no rounds");
        }
        Measure.print(out, "rows of a whole scan, settled", ours, theirs);
        out.printf(
                Locale.ROOT,
                "  rows per second %.2f of the aim, ratio %.2f (aim %.1f)%n",
                ours.rowsPerSecond() / AIM_ROWS_A_SECOND,
                ours.rowsPerSecond() / theirs.rowsPerSecond(),
                AIM_RATIO);
    }

    private static long scan(Engine engine, Table table) {
        long rows = 0;
        long bytes = 0;
        try (Cursor cursor = engine.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                ByteSlice key = cursor.keySlice();
                ByteSlice value = cursor.valueSlice();
                bytes += key.at(key.length() - 1) + value.at(0);
                rows++;
            }
        }
        return bytes == Long.MIN_VALUE ? 0 : rows;
    }
}
