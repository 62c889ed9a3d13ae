package io.polytable.sql.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.Relation;
import io.polytable.sql.model.Relation.Condition;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DuckDB in this process that holds no data of its own: it parses, plans and computes, and reads through our scans. It
 * may not touch files or the network, and its memory has a bound.
 */
public final class DuckEngine implements AutoCloseable {
    /** Queries at work at once; each has a connection. */
    private static final int CONNECTIONS_MAX = 64;

    /** Functions of PostgreSQL that DuckDB has under no name. */
    private static final List<String> MACROS = List.of("CREATE MACRO to_char(moment, form) AS strftime(moment, replace("
            + "replace(replace(replace(replace(replace(replace(replace(replace(form, 'YYYY', '%Y'), 'MM', '%m'),"
            + " 'DD', '%d'), 'HH24', '%H'), 'MI', '%M'), 'SS', '%S'), 'Month', '%B'), 'Mon', '%b'), 'Day', '%A'))");

    private static final Logger LOG = LoggerFactory.getLogger(DuckEngine.class);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final DuckDBConnection root;
    private final ScanFunction scans = new ScanFunction();
    private final KnownFunctions functions = new KnownFunctions();
    private final Deque<DuckDBConnection> idle = new ArrayDeque<>();
    private final ScheduledExecutorService alarms;
    private int open;
    private boolean closed;

    /**
     * How much the engine may take.
     *
     * @param memoryBytes what queries may take, all together
     * @param directory for what does not fit, and for nothing else
     */
    public record Options(long memoryBytes, int threads, Path directory, long spillBytes) {}

    public DuckEngine(Options options) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sql-alarm");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        alarms = executor;
        try {
            Files.createDirectories(options.directory());
            Properties properties = new Properties();
            properties.setProperty("jdbc_stream_results", "true");
            root = (DuckDBConnection) DriverManager.getConnection(
                    "jdbc:duckdb::memory:polytable" + NUMBERS.incrementAndGet(), properties);
            configure(options);
        } catch (SQLException | IOException failure) {
            throw new IllegalStateException("DuckDB does not start", failure);
        }
    }

    private void configure(Options options) throws SQLException {
        scans.register(root);
        for (String macro : MACROS) {
            try (Statement statement = root.createStatement()) {
                statement.execute(macro);
            }
        }
        String directory = options.directory().toString().replace("'", "''");
        List<String> settings = List.of(
                "SET GLOBAL memory_limit = '" + options.memoryBytes() + "B'",
                "SET GLOBAL threads = " + options.threads(),
                "SET GLOBAL temp_directory = '" + directory + "'",
                "SET GLOBAL max_temp_directory_size = '" + options.spillBytes() + "B'",
                "SET GLOBAL autoinstall_known_extensions = false",
                "SET GLOBAL autoload_known_extensions = false",
                "SET GLOBAL python_enable_replacements = false",
                "SET GLOBAL integer_division = true",
                "SET GLOBAL default_null_order = 'nulls_last_on_asc_first_on_desc'",
                "SET GLOBAL TimeZone = 'UTC'",
                "SET GLOBAL errors_as_json = true",
                "SET GLOBAL preserve_insertion_order = true",
                "SET GLOBAL enable_external_access = false",
                "SET GLOBAL lock_configuration = true");
        for (String setting : settings) {
            try (Statement statement = root.createStatement()) {
                statement.execute(setting);
            } catch (SQLException unknown) {
                if (!setting.contains("python")) {
                    throw unknown;
                }
            }
        }
    }

    private DuckDBConnection borrow() {
        synchronized (idle) {
            if (closed) {
                throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
            }
            DuckDBConnection connection = idle.poll();
            if (connection != null) {
                return connection;
            }
            if (open >= CONNECTIONS_MAX) {
                throw new SqlError(SqlCode.TOO_MANY, "too many queries are at work; try again");
            }
            open++;
        }
        try {
            return root.duplicate();
        } catch (SQLException failure) {
            synchronized (idle) {
                open--;
            }
            throw DuckErrors.of(failure, "");
        }
    }

    private void giveBack(DuckDBConnection connection) {
        synchronized (idle) {
            if (!closed) {
                idle.push(connection);
                return;
            }
        }
        closeQuietly(connection);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception ignored) {
            LOG.debug("What was to be thrown away did not close", ignored);
        }
    }

    /** Parses and checks a query. */
    public Plan analyze(String sql, Names names) {
        DuckDBConnection connection = borrow();
        try {
            ParsedSql parser = new ParsedSql(connection);
            return new QueryAnalyzer(parser, functions, names, sql).analyze(parser.parse(sql));
        } finally {
            giveBack(connection);
        }
    }

    /**
     * Runs a query.
     *
     * @param closing what is closed with the result, whether the query succeeds or not
     */
    public QueryRows run(
            Plan plan,
            Reader reader,
            String user,
            @Nullable Object[] parameters,
            Duration timeout,
            Running running,
            AutoCloseable closing) {
        List<Long> numbers = new ArrayList<>();
        List<OpenScan> opened = new ArrayList<>();
        String sql = plan.sql();
        for (ScanSlot slot : plan.slots()) {
            OpenScan scan = new OpenScan(slot, reader, user, conditions(plan, slot, parameters));
            opened.add(scan);
            long number = scans.add(scan);
            numbers.add(number);
            sql = sql.replace(slot.marker(), Long.toString(number));
        }
        DuckDBConnection connection = borrow();
        Ending ending = new Ending(connection, numbers, closing);
        try {
            PreparedStatement statement = connection.prepareStatement(sql);
            ending.statement = statement;
            for (int i = 0; i < plan.parameters().size(); i++) {
                DuckValues.bind(statement, i + 1, parameter(plan.parameters().get(i), parameters));
            }
            ending.alarm = alarms.schedule(() -> running.timeOut(), timeout.toMillis(), TimeUnit.MILLISECONDS);
            running.canceller(() -> cancel(statement));
            return new DuckRows(statement.executeQuery(), plan, opened, running, ending::end);
        } catch (SQLException failure) {
            SQLException told = isUntold(failure) ? told(connection, sql, plan, parameters, failure) : failure;
            RuntimeException error = failure(told, plan, opened, running);
            ending.end();
            throw error;
        } catch (RuntimeException failure) {
            ending.end();
            throw failure;
        }
    }

    /** The driver loses the reason when a streamed query fails before its first row. */
    private static boolean isUntold(SQLException failure) {
        return String.valueOf(failure.getMessage()).contains("Invalid result set");
    }

    /** Runs the query once more, in the way in which the driver tells why it fails. */
    private static SQLException told(
            DuckDBConnection connection, String sql, Plan plan, @Nullable Object[] parameters, SQLException untold) {
        try (PreparedStatement again = connection.prepareStatement(sql)) {
            for (int i = 0; i < plan.parameters().size(); i++) {
                DuckValues.bind(again, i + 1, parameter(plan.parameters().get(i), parameters));
            }
            again.unwrap(DuckDBPreparedStatement.class).query().close();
            return untold;
        } catch (SQLException reason) {
            return reason;
        }
    }

    private static @Nullable Object parameter(int number, @Nullable Object[] parameters) {
        if (number > parameters.length) {
            throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "there is no parameter $" + number);
        }
        return parameters[number - 1];
    }

    private static void cancel(PreparedStatement statement) {
        try {
            statement.cancel();
        } catch (SQLException ended) {
            LOG.debug("A query that was to be cancelled had ended", ended);
        }
    }

    static RuntimeException failure(SQLException failure, Plan plan, List<OpenScan> scans, Running running) {
        for (OpenScan scan : scans) {
            RuntimeException inside = scan.failure.get();
            if (inside != null) {
                return inside;
            }
        }
        Optional<SqlError> stopped = running.stopped();
        return stopped.isPresent() ? stopped.get() : DuckErrors.of(failure, plan.original());
    }

    /** What a result holds until it is closed. */
    private final class Ending {
        private final DuckDBConnection connection;
        private final List<Long> numbers;
        private final AutoCloseable closing;
        private @Nullable PreparedStatement statement;
        private @Nullable ScheduledFuture<?> alarm;
        private boolean ended;

        Ending(DuckDBConnection connection, List<Long> numbers, AutoCloseable closing) {
            this.connection = connection;
            this.numbers = numbers;
            this.closing = closing;
        }

        void end() {
            if (ended) {
                return;
            }
            ended = true;
            if (alarm != null) {
                alarm.cancel(false);
            }
            if (statement != null) {
                closeQuietly(statement);
            }
            numbers.forEach(scans::remove);
            giveBack(connection);
            closeQuietly(closing);
        }
    }

    /** The conditions on a relation's columns, with the constants as values of the columns' types. */
    private static List<Condition> conditions(Plan plan, ScanSlot slot, @Nullable Object[] parameters) {
        List<Condition> conditions = new ArrayList<>();
        for (ScanSlot.ColumnCondition condition : slot.conditions()) {
            SqlType type = slot.relation().columns().stream()
                    .filter(column -> column.name().equals(condition.column()))
                    .map(Relation.RelationColumn::type)
                    .findFirst()
                    .orElse(SqlType.UNKNOWN);
            List<Object> values = new ArrayList<>();
            for (JsonNode constant : condition.constants()) {
                Object value = exact(plan, type, constant, parameters);
                if (value != null) {
                    values.add(value);
                }
            }
            if (values.size() == condition.constants().size()) {
                conditions.add(new Condition(condition.column(), condition.operator(), values));
            }
        }
        return conditions;
    }

    private static @Nullable Object exact(Plan plan, SqlType type, JsonNode constant, @Nullable Object[] parameters) {
        Object value;
        if (constant.path("class").asText().equals("PARAMETER")) {
            // The tree has the numbers that DuckDB wants; the plan knows which parameters those are.
            int number = plan.parameters().get(constant.path("identifier").asInt(1) - 1);
            value = number <= parameters.length ? parameters[number - 1] : null;
        } else {
            value = constant.path("literal").path("text").asText();
        }
        boolean whole = value instanceof String || value instanceof Long || value instanceof Integer;
        // A float key compares by value in DuckDB; only whole numbers and text are sure to mean the same here.
        if (!whole || type.isFloating() || type.is(SqlType.Kind.DECIMAL)) {
            return null;
        }
        try {
            return Casts.to(type, value);
        } catch (SqlError noValue) {
            return null;
        }
    }

    /** What reading takes, for EXPLAIN. */
    public List<String> accesses(Plan plan, @Nullable Object[] parameters) {
        return plan.slots().stream()
                .map(slot -> slot.relation().name() + ": " + slot.relation().access(conditions(plan, slot, parameters)))
                .toList();
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(DuckEngine::closeQuietly);
            idle.clear();
        }
        alarms.shutdownNow();
        closeQuietly(root);
    }
}
