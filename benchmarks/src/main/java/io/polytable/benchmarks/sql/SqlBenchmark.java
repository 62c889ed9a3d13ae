package io.polytable.benchmarks.sql;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The SQL frontend compared with its peers, in one run: statements by key in this process with SQLite (WAL,
 * synchronous=NORMAL) and H2, all of them acknowledging before an fsync; the same over HTTP; aggregates with DuckDB's
 * own table and SQLite; and the slowdown of Redis traffic during a query over a million of its rows.
 */
final class SqlBenchmark {
    private static final int ROUNDS = 5;
    private static final long CHUNK = 100_000;
    private static final double HTTP_GOAL = 10_000;
    private static final String AGGREGATE =
            "SELECT who, count(*), sum(amount), max(quantity) FROM t GROUP BY who ORDER BY who";
    private static final String COLUMNS =
            "(id BIGINT PRIMARY KEY, who VARCHAR(20), amount DOUBLE PRECISION, quantity INT)";

    private final Path directory;
    private final long points;
    private final long rows;

    private SqlBenchmark(Path directory, long points, long rows) {
        this.directory = directory;
        this.points = points;
        this.rows = rows;
    }

    /** Arguments: a directory, how many statements by key, how many rows to aggregate. */
    public static void main(String[] arguments) throws Exception {
        SqlBenchmark benchmark =
                new SqlBenchmark(Path.of(arguments[0]), Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
        System.out.printf("%-56s %14s %14s %8s%n", "", "ours", "theirs", "ratio");
        benchmark.inProcess();
        benchmark.server();
    }

    private static void tell(String what, double ours, double theirs) {
        System.out.printf(Locale.ROOT, "%-56s %,14.1f %,14.1f %8.2f%n", what, ours, theirs, ours / theirs);
    }

    private void inProcess() throws Exception {
        try (TableStore store = EmbeddedStore.open(
                        directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")))) {
            double[] ours = points(new OurSide(face.session("root")));
            double[] sqlite = points(new JdbcSide(
                    "jdbc:sqlite:" + directory.resolve("points.sqlite"),
                    "PRAGMA journal_mode = WAL",
                    "PRAGMA synchronous = NORMAL"));
            double[] h2 = points(new JdbcSide("jdbc:h2:" + directory.resolve("points-h2")));
            List<String> kinds = List.of("INSERT", "UPDATE", "SELECT");
            for (int i = 0; i < kinds.size(); i++) {
                tell(kinds.get(i) + " by key per second (theirs: SQLite)", ours[i], sqlite[i]);
                tell(kinds.get(i) + " by key per second (theirs: H2)", ours[i], h2[i]);
            }
            aggregate(face);
        }
    }

    /** INSERTs, UPDATEs and SELECTs per second, after a warm-up. */
    private double[] points(PointSide side) throws Exception {
        try (side) {
            long warm = points / 2;
            for (long id = 0; id < warm; id++) {
                side.insert(id);
                side.update(id);
                side.select(id);
            }
            long begun = System.nanoTime();
            for (long id = warm; id < warm + points; id++) {
                side.insert(id);
            }
            long inserted = System.nanoTime();
            for (long i = 0; i < points; i++) {
                side.update(i * 7919 % (warm + points));
            }
            long updated = System.nanoTime();
            for (long i = 0; i < points; i++) {
                side.select(i * 7919 % (warm + points));
            }
            long selected = System.nanoTime();
            return new double[] {
                perSecond(inserted - begun), perSecond(updated - inserted), perSecond(selected - updated)
            };
        }
    }

    private double perSecond(long nanos) {
        return points / (nanos / 1e9);
    }

    private void aggregate(SqlFace face) throws Exception {
        try (Session session = face.session("root");
                Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Connection sqlite = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("t.sqlite"))) {
            session.execute("CREATE TABLE t " + COLUMNS);
            for (long at = 0; at < rows; at += CHUNK) {
                session.execute("INSERT INTO t SELECT x, 'user' || x % 100, x * 0.5::double, (x % 97)::int FROM range("
                        + at + ", " + Math.min(rows, at + CHUNK) + ") r(x)");
            }
            load(duck, "INSERT INTO t SELECT x, 'user' || x % 100, x * 0.5, x % 97 FROM range(" + rows + ") r(x)");
            load(
                    sqlite,
                    "WITH RECURSIVE r(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM r WHERE x < " + (rows - 1)
                            + ") INSERT INTO t SELECT x, 'user' || x % 100, x * 0.5, x % 97 FROM r");
            double first = nanos(() -> drain(session, AGGREGATE)) / 1e6;
            tell("aggregate with GROUP BY, first time, ms (theirs: later)", first, columnsKept(session));
            double duckMillis = millis(() -> drain(duck, AGGREGATE));
            double ours = millis(() -> drain(session, AGGREGATE));
            tell("aggregate with GROUP BY, ms (theirs: DuckDB's table)", ours, duckMillis);
            tell("aggregate with GROUP BY, ms (theirs: SQLite)", ours, millis(() -> drain(sqlite, AGGREGATE)));
            String sum = "SELECT count(*), sum(amount), max(quantity) FROM t";
            double whole = millis(() -> drain(session, sum));
            tell("aggregate of all rows, ms (theirs: DuckDB's table)", whole, millis(() -> drain(duck, sum)));
            tell("aggregate of all rows, ms (theirs: SQLite)", whole, millis(() -> drain(sqlite, sum)));
            long[] changed = new long[1];
            double beside = millis(() -> {
                session.execute("UPDATE t SET quantity = 1 WHERE id = " + changed[0]++ * 7919 % rows);
                drain(session, AGGREGATE);
            });
            tell("with a row changed before each, ms (theirs: DuckDB)", beside, duckMillis);
        }
    }

    /** Milliseconds of a query once the table's columns are cached, which happens during the first few. */
    private static double columnsKept(Session session) throws Exception {
        for (int i = 0; i < 3; i++) {
            drain(session, AGGREGATE);
        }
        TimeUnit.SECONDS.sleep(3);
        return millis(() -> drain(session, AGGREGATE));
    }

    private static void load(Connection connection, String insert) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t " + COLUMNS);
            statement.execute(insert);
        }
    }

    private static void drain(Session session, String sql) {
        try (QueryRows result = ((Outcome.Rows) session.execute(sql)).rows()) {
            long count = 0;
            while (result.next()) {
                count++;
            }
            if (count == 0) {
                throw new IllegalStateException("No rows");
            }
        }
    }

    private static void drain(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                result.getString(1);
            }
        }
    }

    /** The median of some rounds, after a warm-up round. */
    private static double millis(RedisTraffic.Work work) throws Exception {
        double[] times = new double[ROUNDS];
        work.run();
        for (int i = 0; i < ROUNDS; i++) {
            times[i] = nanos(work) / 1e6;
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }

    private static long nanos(RedisTraffic.Work work) throws Exception {
        long begun = System.nanoTime();
        work.run();
        return System.nanoTime() - begun;
    }

    private void server() throws Exception {
        Settings settings = ServerCatalog.load(
                List.of(
                        "--data.dir=" + directory.resolve("server"),
                        "--redis.port=0",
                        "--http.port=0",
                        "--hbase.enabled=false"),
                Map.of());
        Server server = Server.start(settings, Assembly.parts(), () -> {});
        http(new HttpLoad(server.httpPort()));
        redis(server);
        server.stop();
    }

    private void http(HttpLoad load) throws Exception {
        load.once(HttpLoad.body(PointSide.CREATE, ""));
        double[] best = new double[3];
        for (int round = 0; round < 3; round++) {
            long first = round * points;
            best[0] = Math.max(
                    best[0],
                    load.run(
                            points,
                            i -> HttpLoad.body(PointSide.INSERT, (first + i) + ", \"name of " + i + "\", " + i)));
            best[1] = Math.max(
                    best[1], load.run(points, i -> HttpLoad.body(PointSide.UPDATE, Long.toString(i * 7919 % points))));
            best[2] = Math.max(
                    best[2], load.run(points, i -> HttpLoad.body(PointSide.SELECT, Long.toString(i * 7919 % points))));
        }
        tell("INSERT by key per second over HTTP (theirs: the goal)", best[0], HTTP_GOAL);
        tell("UPDATE by key per second over HTTP (theirs: the goal)", best[1], HTTP_GOAL);
        tell("SELECT by key per second over HTTP (theirs: the goal)", best[2], HTTP_GOAL);
    }

    private void redis(Server server) throws Exception {
        int port = server.port("redis");
        RedisTraffic.load(port, rows);
        HttpLoad load = new HttpLoad(server.httpPort());
        String count = HttpLoad.body("SELECT redis_type, count(*) FROM redis_data GROUP BY 1", "");
        double quiet = millis(() -> load.once(count));
        try (RedisTraffic traffic = new RedisTraffic(port, rows)) {
            TimeUnit.SECONDS.sleep(2);
            double alone = traffic.during(() -> TimeUnit.SECONDS.sleep(5));
            double[] busy = new double[1];
            double beside = traffic.during(() -> busy[0] = millis(() -> load.once(count)));
            tell("GROUP BY over Redis rows, ms (theirs: without traffic)", busy[0], quiet);
            tell("SETs per second during that query (theirs: without it)", beside, alone);
        }
    }
}
