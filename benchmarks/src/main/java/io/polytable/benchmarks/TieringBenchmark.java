package io.polytable.benchmarks;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.tier.file.RelationWriter;
import io.polytable.sql.type.SqlType;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Tiering compared with its parts: flushes with parquet-java alone, queries with plain DuckDB on the same files. */
final class TieringBenchmark implements AutoCloseable {
    private static final int ROUNDS = 9;
    private static final long CHUNK = 50_000;
    private static final String AGGREGATE = "SELECT count(*), sum(amount), max(quantity) FROM ";
    private static final String COLUMNS = " (id BIGINT PRIMARY KEY, who TEXT, amount DOUBLE, quantity INT, note TEXT)";
    private static final String VALUES =
            "i AS id, 'user' || (i % 1000) AS who, i * 0.5 AS amount, CAST(i % 97 AS INT) AS quantity, 'note ' || i AS note";

    private final Path directory;
    private final long rows;
    private final TableStore store;
    private final SqlFace sql;
    private final Session session;

    private TieringBenchmark(Path directory, long rows) {
        this.directory = directory;
        this.rows = rows;
        store = EmbeddedStore.open(directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
        sql = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")));
        session = sql.session("root");
        run("SET statement_timeout = '1h'");
    }

    /** Arguments: a directory, and how many rows. */
    public static void main(String[] arguments) throws Exception {
        try (TieringBenchmark benchmark = new TieringBenchmark(Path.of(arguments[0]), Long.parseLong(arguments[1]))) {
            benchmark.flush();
            benchmark.aggregate();
            benchmark.points();
            benchmark.beside();
            benchmark.users();
        }
    }

    private long run(String sql) {
        Outcome outcome = session.execute(sql);
        if (outcome instanceof Outcome.Done done) {
            return done.rows();
        }
        long count = 0;
        try (QueryRows result = ((Outcome.Rows) outcome).rows()) {
            while (result.next()) {
                count++;
            }
        }
        return count;
    }

    private static void tell(String what, double ours, double theirs, double ratio) {
        System.out.printf(Locale.ROOT, "%-52s %,14.1f %,14.1f %8.2f%n", what, ours, theirs, ratio);
    }

    private void insert(String table, long from, long to) {
        for (long at = from; at < to; at += CHUNK) {
            run("INSERT INTO " + table + " SELECT " + VALUES + " FROM range(" + at + ", " + Math.min(to, at + CHUNK)
                    + ") AS r(i)");
        }
    }

    /** Warm-up of both: the time of the JIT compiler does not count. */
    private void flush() throws Exception {
        long few = Math.max(1, rows / 4);
        run("CREATE TABLE warm" + COLUMNS);
        insert("warm", 0, few);
        run("FLUSH TABLE warm");
        alone(few);
        run("CREATE TABLE t" + COLUMNS);
        insert("t", 0, rows);
        Measure ours = Measure.of(rows, () -> run("FLUSH TABLE t"));
        Measure alone = Measure.of(rows, () -> alone(rows));
        tell(
                "flush, rows per second (theirs: parquet-java alone)",
                ours.rowsPerSecond(),
                alone.rowsPerSecond(),
                ours.rowsPerSecond() / alone.rowsPerSecond());
    }

    /** The same columns into one file, straight from the program, with parquet-java's own settings and zstd. */
    private void alone(long count) {
        List<RelationColumn> columns = List.of(
                RelationColumn.shown("id", SqlType.BIGINT),
                RelationColumn.shown("who", SqlType.TEXT),
                RelationColumn.shown("amount", SqlType.DOUBLE),
                RelationColumn.shown("quantity", SqlType.INT),
                RelationColumn.shown("note", SqlType.TEXT));
        try (RelationWriter writer = new RelationWriter(directory.resolve("alone.parquet"), columns)) {
            for (long i = 0; i < count; i++) {
                writer.write(new Object[] {i, "user" + i % 1000, i * 0.5, (int) (i % 97), "note " + i});
            }
        }
    }

    private String files() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("sql/tables/default/shared/t"))) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".parquet"))
                    .map(name -> "'" + name + "'")
                    .reduce((a, b) -> a + ", " + b)
                    .orElseThrow();
        }
    }

    private void aggregate() throws Exception {
        double cold = millis(() -> run(AGGREGATE + "t"));
        insert("t", rows, rows + CHUNK);
        run("UPDATE t SET amount = 0 WHERE id < 100");
        double merged = millis(() -> run(AGGREGATE + "t"));
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            String query = AGGREGATE + "read_parquet([" + files() + "])";
            double plain = millis(() -> drain(statement, query));
            tell("aggregate, flushed rows only, ms (theirs: DuckDB)", cold, plain, cold / plain);
            tell("aggregate, 50,000 hot rows more, ms (theirs: DuckDB)", merged, plain, merged / plain);
        }
    }

    private static void drain(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                result.getLong(1);
            }
        }
    }

    /** The median of some rounds, after a warm-up round. */
    private static double millis(Measure.Work work) throws Exception {
        double[] times = new double[ROUNDS];
        work.run();
        for (int i = 0; i < ROUNDS; i++) {
            long begun = System.nanoTime();
            work.run();
            times[i] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }

    private void points() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            run("SELECT note FROM t WHERE id = " + (100 + (long) (random.nextDouble() * (rows - 100))));
        }
        double cold = Measure.of(1000, () -> {
                    for (int i = 0; i < 1000; i++) {
                        run("SELECT note FROM t WHERE id = " + (100 + (long) (random.nextDouble() * (rows - 100))));
                    }
                })
                .rowsPerSecond();
        double hot = Measure.of(1000, () -> {
                    for (int i = 0; i < 1000; i++) {
                        run("SELECT note FROM t WHERE id = " + (rows + random.nextInt((int) CHUNK)));
                    }
                })
                .rowsPerSecond();
        tell("cold reads by key per second (theirs: hot reads)", cold, hot, cold / hot);
    }

    /** The slowdown of single inserts during a flush. */
    private void beside() throws Exception {
        run("CREATE TABLE side" + COLUMNS);
        run("CREATE TABLE moved" + COLUMNS);
        inserts(0, new AtomicBoolean(false), 5000);
        double alone = inserts(100_000, new AtomicBoolean(false), 5000);
        insert("moved", 0, rows / 2);
        AtomicBoolean ended = new AtomicBoolean();
        Thread flushing = new Thread(() -> {
            try (Session other = sql.session("root")) {
                other.execute("SET statement_timeout = '1h'");
                other.execute("FLUSH TABLE moved");
            } finally {
                ended.set(true);
            }
        });
        flushing.start();
        double beside = inserts(1_000_000, ended, Integer.MAX_VALUE);
        flushing.join();
        tell("INSERTs per second during a flush (theirs: alone)", beside, alone, beside / alone);
    }

    private double inserts(long from, AtomicBoolean ended, int most) {
        long begun = System.nanoTime();
        int count = 0;
        while (count < most && !ended.get()) {
            run("INSERT INTO side VALUES (" + (from + count++) + ", 'w', 1.5, 1, 'n')");
        }
        return count / ((System.nanoTime() - begun) / 1e9);
    }

    private void users() throws Exception {
        Path exports = Files.createDirectories(directory.resolve("sql/tables/exports"));
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT 'u' || (i // 5) AS _user_id, i % 5 AS item, CAST(i AS INT) AS v FROM"
                    + " range(50000) AS r(i)) TO '" + exports.resolve("users.parquet") + "'");
        }
        for (String option : List.of("false", "true")) {
            String table = "basket_" + option;
            run("CREATE USER TABLE " + table + " (item BIGINT PRIMARY KEY, v INT) WITH (packed = " + option + ")");
            run("IMPORT INTO " + table + " FROM PARQUET 'users.parquet'");
            Measure ours = Measure.of(50_000, () -> run("FLUSH TABLE " + table));
            String name =
                    "10,000 users of 5 rows, rows per second, " + (option.equals("true") ? "packed" : "a file each");
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %,14.1f %14s %8s, %.1f seconds%n",
                    name,
                    ours.rowsPerSecond(),
                    "-",
                    "-",
                    50_000 / ours.rowsPerSecond());
        }
    }

    @Override
    public void close() {
        session.close();
        sql.close();
        store.close();
    }
}
