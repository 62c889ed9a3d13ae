package io.polytable.benchmarks;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.Batch;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** The engine compared with plain RocksDB; run by {@code engine.sh}. */
public final class EngineBenchmark {
    private static final int KEYS = 1_000_000;
    private static final int VALUE_BYTES = 100;
    private static final int SCAN_ROWS = 100;
    private static final int SCANS = 20_000;
    private static final long CACHE_BYTES = 256L << 20;
    private static final long ROW_BYTES = 512L << 20;

    /** Commits per flush, as for the commands of one event-loop turn. */
    private static final int TURN = 64;

    private static final TableSpec SPEC = new TableSpec(
            new TableName("bench", "rows"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);

    private final PrintStream out;
    private final Path directory;
    private final int rows;
    private final int[] numbers = new Random(42).ints(KEYS, 0, KEYS).toArray();
    private final byte[] value = new byte[VALUE_BYTES];

    private EngineBenchmark(PrintStream out, Path directory, int rows) {
        this.out = out;
        this.directory = directory;
        this.rows = rows;
        new Random(7).nextBytes(value);
    }

    public static void main(String[] arguments) throws Exception {
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000_000;
        new EngineBenchmark(System.out, Files.createDirectories(Path.of(arguments[0])), rows).run();
    }

    private void run() throws Exception {
        out.printf("%,d rows over %,d keys of 17 bytes, values of %d bytes%n", rows, KEYS, VALUE_BYTES);
        Measure.header(out);
        for (int batch : new int[] {1, 10, 100}) {
            commits("os", DurabilityMode.EVERYSEC, batch, rows);
        }
        commits("always", DurabilityMode.ALWAYS, 1, rows / 100);
        reads();
        recovery();
    }

    private void commits(String name, DurabilityMode mode, int batchRows, int count) throws Exception {
        Measure ours;
        try (Engine engine = open("ours-" + name + batchRows, mode, ROW_BYTES)) {
            Table table = engine.create(SPEC);
            ours = Measure.of(count, () -> {
                write(engine, table, count, batchRows);
                engine.latest().durable().toCompletableFuture().join();
            });
        }
        Measure theirs;
        try (PlainRocks rocks = new PlainRocks(
                directory.resolve("plain-" + name + batchRows), CACHE_BYTES, mode == DurabilityMode.ALWAYS)) {
            theirs = Measure.of(count, () -> {
                for (int i = 0; i < count; i += batchRows) {
                    rocks.write(numbers, i, batchRows, value);
                }
            });
        }
        String what = mode == DurabilityMode.ALWAYS
                ? "commits of " + batchRows + ", fsync, " + TURN + " share one"
                : "commits of " + batchRows + ", to the operating system";
        Measure.print(out, what, ours, theirs);
    }

    private Engine open(String name, DurabilityMode mode, long rowBytes) {
        EngineOptions options = EngineOptions.DEFAULT.withDurability(mode).withMemory(rowBytes, CACHE_BYTES);
        return EmbeddedStore.open(directory.resolve(name), options, FileLogOptions.defaults());
    }

    private void write(Engine engine, Table table, int count, int batchRows) {
        Batch batch = new Batch();
        int commits = 0;
        for (int i = 0; i < count; i += batchRows) {
            batch.clear();
            for (int j = 0; j < batchRows; j++) {
                batch.put(table, Keys.row(numbers[(i + j) % KEYS]), Bytes.of(value));
            }
            while (!engine.hasRoom()) {
                LockSupport.parkNanos(100_000);
            }
            engine.commit(batch);
            if (++commits % TURN == 0) {
                engine.flush();
                if (!engine.latest().isDurable()) {
                    engine.latest().durable().toCompletableFuture().join();
                }
            }
        }
    }

    private void reads() throws Exception {
        Path plain = directory.resolve("plain-reads");
        try (PlainRocks rocks = new PlainRocks(plain, CACHE_BYTES, false)) {
            for (int i = 0; i < KEYS; i += 100) {
                rocks.write(numbers, i, 100, value);
            }
            Measure theirs = readAll(number -> rocks.read(number));
            Measure theirScans = scanAll((from, i) -> rocks.scan(from, SCAN_ROWS));
            Measure theirScansAfter = scanAll((from, i) -> {
                rocks.write(numbers, i, 1, value);
                return rocks.scan(from, SCAN_ROWS);
            });
            try (Engine engine = open("ours-reads", DurabilityMode.EVERYSEC, ROW_BYTES)) {
                Table table = engine.create(SPEC);
                write(engine, table, KEYS, 100);
                Measure.print(out, "point reads, fresh rows", readAll(reader(engine, table)), theirs);
            }
            try (Engine engine = open("ours-reads", DurabilityMode.EVERYSEC, 0)) {
                Table table = engine.find(SPEC.name()).orElseThrow();
                Measure.print(out, "point reads, from RocksDB", readAll(reader(engine, table)), theirs);
                new ScanBenchmark(out).run(engine, table, rocks);
            }
            try (Engine engine = open("ours-reads", DurabilityMode.EVERYSEC, ROW_BYTES)) {
                Table table = engine.find(SPEC.name()).orElseThrow();
                readAll(reader(engine, table));
                Measure.print(out, "point reads, cached rows", readAll(reader(engine, table)), theirs);
                Measure settled = scanAll((from, i) -> scan(engine, table, from));
                Measure.print(out, "scans of 100, settled rows", settled, theirScans);
                Measure after = scanAll((from, i) -> {
                    engine.commit(new Batch().put(table, Keys.row(numbers[i]), Bytes.of(value)));
                    return scan(engine, table, from);
                });
                Measure.print(out, "scans of 100, each right after a write", after, theirScansAfter);
                out.printf(
                        "  a scan after a write takes %.2f of a settled one%n",
                        settled.rowsPerSecond() / after.rowsPerSecond());
            }
        }
    }

    /** Reads a key. */
    private interface PointRead {
        boolean at(int number) throws Exception;
    }

    /** Does the i-th scan. */
    private interface RangeRead {
        int from(int number, int i) throws Exception;
    }

    private static PointRead reader(Engine engine, Table table) {
        return number -> engine.read(table, Keys.row(number)).isPresent();
    }

    private Measure readAll(PointRead read) throws Exception {
        return Measure.of(KEYS, () -> {
            int found = 0;
            for (int number : numbers) {
                found += read.at(number) ? 1 : 0;
            }
            if (found != KEYS) {
                throw new IllegalStateException("found " + found);
            }
        });
    }

    private Measure scanAll(RangeRead scan) throws Exception {
        return Measure.of(SCANS, () -> {
            for (int i = 0; i < SCANS; i++) {
                scan.from(numbers[i] % (KEYS - 10 * SCAN_ROWS), i);
            }
        });
    }

    private static int scan(Engine engine, Table table, int from) {
        KeyRange range = new KeyRange(Bytes.of(Keys.bytes(from)), Bytes.of(new byte[] {1}), 1);
        int seen = 0;
        try (Cursor cursor = engine.scan(table, range, Direction.FORWARD, SCAN_ROWS)) {
            while (cursor.next()) {
                seen += cursor.key().isEmpty() ? 0 : 1;
            }
        }
        return seen;
    }

    /** A child process writes and halts without closing; measures the next open. */
    private void recovery() throws Exception {
        int count = Math.min(rows, 2_000_000);
        Path data = directory.resolve("ours-recovery");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Halting.class.getName(),
                        data.toString(),
                        Integer.toString(count))
                .inheritIO()
                .start();
        child.waitFor();
        long start = System.nanoTime();
        try (Engine engine = open("ours-recovery", DurabilityMode.EVERYSEC, ROW_BYTES)) {
            double seconds = (System.nanoTime() - start) / 1e9;
            out.printf(
                    "recovery: %.2f s for %,d rows in the log, %.2f s a million (tables %d)%n",
                    seconds, count, seconds * 1e6 / count, engine.tables().size());
        }
    }

    /** Writes rows that are not applied to the state yet, and halts. */
    static final class Halting {
        private Halting() {}

        public static void main(String[] arguments) {
            EngineOptions lazy = EngineOptions.DEFAULT
                    .withMemory(ROW_BYTES, CACHE_BYTES)
                    .withGenerations(1L << 40, Duration.ofDays(1));
            Engine engine = EmbeddedStore.open(Path.of(arguments[0]), lazy, FileLogOptions.defaults());
            int count = Integer.parseInt(arguments[1]);
            EngineBenchmark benchmark = new EngineBenchmark(System.out, Path.of(arguments[0]), count);
            benchmark.write(engine, engine.create(SPEC), count, 1);
            engine.flush();
            Runtime.getRuntime().halt(0);
        }
    }
}
