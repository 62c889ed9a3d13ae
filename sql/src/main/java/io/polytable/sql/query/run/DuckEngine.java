package io.polytable.sql.query.run;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.cache.CacheView;
import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.QueryTimes;
import io.polytable.sql.query.dialect.KnownFunctions;
import io.polytable.sql.query.dialect.PostgresFunctions;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.query.duck.DuckOptions;
import io.polytable.sql.query.duck.DuckRoot;
import io.polytable.sql.query.duck.DuckValues;
import io.polytable.sql.query.plan.DuckQuery;
import io.polytable.sql.query.plan.JoinNarrowing;
import io.polytable.sql.query.plan.QueryBinder;
import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.scan.DuckBlocks;
import io.polytable.sql.query.scan.FileQuery;
import io.polytable.sql.query.scan.NoReader;
import io.polytable.sql.query.scan.OpenScan;
import io.polytable.sql.query.scan.ScanFunction;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.ScanTypes;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Reader;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DuckDB as the query engine. It has no data of its own: it parses, plans and computes, and reads rows through our
 * scans. It has no network access, reads files only in the directories it is given, and its memory is bounded.
 */
public final class DuckEngine implements AutoCloseable {
    /** The most concurrent queries; each has a connection. */
    private static final int CONNECTIONS_MAX = 64;

    private static final long CANCEL_AGAIN_MILLIS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(DuckEngine.class);

    /** Importing a large file takes long; the job that does it can be cancelled. */
    private static final Duration FILE_MAX = Duration.ofHours(24);

    /** For queries that read no table. */
    private static final Reader NO_READER = new NoReader();

    private final DuckRoot root;
    private final DuckBlocks blocks;
    private final ColumnCache cache;
    private final ScanFunction scans = new ScanFunction();
    private final ResultBudget resultBudget;
    private final MemoryWatch memory;
    private final BatchLimits batchLimits;
    private final KnownFunctions functions = new KnownFunctions();
    private final Deque<DuckDBConnection> idle = new ArrayDeque<>();
    private final ScheduledExecutorService alarms;
    private int open;
    private boolean closed;

    /**
     * Opens DuckDB.
     *
     * @param store the store whose tables the column cache may cache
     * @param results the heap for parts of results
     */
    public DuckEngine(DuckOptions options, TableStore store, Budget results) {
        resultBudget = new ResultBudget(results);
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sql-alarm");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        alarms = executor;
        memory = new MemoryWatch(MemoryWatch.limit(options.memoryBytes()), MemoryWatch::residentBytes);
        batchLimits = new BatchLimits(options.memoryBytes(), memory);
        root = new DuckRoot(options, connection -> {
            scans.register(connection);
            resultBudget.register(connection);
            batchLimits.register(connection);
            PostgresFunctions.register(connection);
            DuckBlocks.register(connection);
        });
        blocks = new DuckBlocks(root, scans);
        cache = new ColumnCache(store, blocks, options.cache());
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
                throw new SqlError(SqlCode.TOO_MANY, "too many concurrent queries; try again");
            }
            open++;
        }
        try {
            return root.connect();
        } catch (SQLException failure) {
            forgetConnection();
            throw DuckErrors.of(failure, Optional.empty());
        } catch (RuntimeException failure) {
            forgetConnection();
            throw failure;
        }
    }

    private void forgetConnection() {
        synchronized (idle) {
            open--;
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

    /** Binds the names of a query. */
    public PreparedQuery prepare(Query query, Names names) {
        return new PreparedQuery(QueryBinder.bind(query, names, functions));
    }

    /**
     * Runs a query.
     *
     * @param closing closed with the result, or when the query fails
     */
    public QueryRows run(
            PreparedQuery prepared,
            Reader reader,
            String user,
            @Nullable Object[] parameters,
            QueryTimes times,
            Cancellation cancellation,
            AutoCloseable closing) {
        DuckQuery plan = prepared.query();
        List<Long> numbers = new ArrayList<>();
        List<OpenScan> opened = new ArrayList<>();
        List<Runnable> releases = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        DuckDBConnection connection = borrow();
        QueryResources resources = new QueryResources(connection, numbers, releases, closing);
        Start start;
        try {
            start = new Start(prepared, parameters, times, opened, texts, cancellation, resources);
            List<List<Condition>> conditions =
                    JoinNarrowing.apply(plan, reader, user, cancellation, plan.conditions(parameters));
            for (int i = 0; i < conditions.size(); i++) {
                ScanSlot slot = plan.slots().get(i);
                Optional<CacheView> cached = cached(plan, slot, reader, conditions.get(i));
                cached.ifPresent(view -> releases.add(view::release));
                FileQuery files = FileQuery.open(slot, reader, user, conditions.get(i), cached);
                releases.add(files::release);
                List<Long> own = new ArrayList<>();
                for (OpenScan scan : files.scans()) {
                    opened.add(scan);
                    own.add(scans.add(scan));
                }
                numbers.addAll(own);
                texts.add(files.text(own));
            }
        } catch (RuntimeException failure) {
            resources.end();
            throw failure;
        }
        batchLimits.planning(cancellation);
        try {
            try {
                return start.of(start.form());
            } catch (SQLException failure) {
                SQLException reason = reason(start, failure);
                // DuckDB has no name for its failure to plan variants of macros in a lateral join.
                boolean unplanned = DuckErrors.of(reason, Optional.empty()).code() == SqlCode.DATA_EXCEPTION;
                if (plan.inexact().isEmpty()
                        || !unplanned
                        || cancellation.stopped().isPresent()) {
                    throw reason;
                }
                return start.of(start.shaped(plan.inexact().get()));
            }
        } catch (SQLException failure) {
            RuntimeException error = failure(reason(start, failure), plan, opened, cancellation);
            resources.end();
            throw error;
        } catch (RuntimeException failure) {
            resources.end();
            throw failure;
        } finally {
            batchLimits.planned();
        }
    }

    /** Starts a query with one text or another. */
    private static final class Start {
        private final PreparedQuery prepared;
        private final @Nullable Object[] parameters;
        private final QueryTimes times;
        private final List<OpenScan> opened;
        private final List<String> scans;
        private final Cancellation cancellation;
        private final QueryResources resources;

        /** The text that was started last, and the values of its parameters. */
        private String text = "";

        private List<@Nullable Object> bound = List.of();

        /** The statement of a text that was only bound: it can be run as it is. */
        private @Nullable PreparedStatement ready;

        private String readyText = "";

        Start(
                PreparedQuery prepared,
                @Nullable Object[] parameters,
                QueryTimes times,
                List<OpenScan> opened,
                List<String> scans,
                Cancellation cancellation,
                QueryResources resources) {
            this.prepared = prepared;
            this.parameters = parameters;
            this.times = times;
            this.opened = opened;
            this.scans = scans;
            this.cancellation = cancellation;
            this.resources = resources;
        }

        /** What an earlier run has shown, or else what DuckDB says now; an error of both texts is that of the second. */
        PreparedQuery.Form form() throws SQLException {
            Optional<PreparedQuery.Form> known = prepared.form(parameters);
            if (known.isPresent()) {
                return known.get();
            }
            DuckQuery query = prepared.query();
            if (query.inexact().isEmpty()) {
                return shaped(query.text());
            }
            try {
                PreparedQuery.Form exact = shaped(query.text());
                return exact.shape().columns().isEmpty()
                        ? shaped(query.inexact().get())
                        : exact;
            } catch (SQLException rejected) {
                return shaped(query.inexact().get());
            }
        }

        /** Has DuckDB bind a text, which shows its columns. */
        PreparedQuery.Form shaped(Rendered rendered) throws SQLException {
            use(rendered);
            PreparedStatement statement = prepare();
            ResultShape shape = ResultShape.of(statement, resources.connection, text, bound);
            return prepared.learn(rendered, shape, parameters);
        }

        private void use(Rendered rendered) {
            text = rendered.text(scans::get);
            bound = DuckQuery.bound(rendered, parameters, times);
        }

        private PreparedStatement prepare() throws SQLException {
            PreparedStatement known = ready;
            if (known != null && readyText.equals(text)) {
                return known;
            }
            // Before planning, which computes calls with constants only.
            resources.watch(cancellation);
            PreparedStatement statement = resources.connection.prepareStatement(text);
            resources.statement(statement);
            ready = statement;
            readyText = text;
            return statement;
        }

        QueryRows of(PreparedQuery.Form form) throws SQLException {
            use(form.text());
            ResultShape plain = form.shape();
            Optional<String> guarded = ResultBudget.guarded(text, plain.typeNames(), resources.number);
            text = guarded.orElse(text);
            PreparedStatement statement = prepare();
            DuckValues.bind(statement, bound);
            // Planning cannot be cancelled: what stopped the statement meanwhile has had no effect yet.
            cancellation.checkNow();
            ResultSet result = statement.executeQuery();
            // Only now are types known that depend on parameters.
            ResultShape found = ResultShape.of(result.getMetaData());
            ResultShape shape = guarded.isPresent() ? found.withoutGuardColumn(plain) : found;
            boolean infinity = prepared.query().mayGiveInfinity(parameters);
            return new DuckRows(result, shape, prepared.query(), opened, cancellation, infinity, resources::end);
        }
    }

    /** The first text, or the second if DuckDB rejects the first; an error of both is that of the second. */
    private static Rendered bindable(DuckDBConnection connection, DuckQuery plan, List<String> texts) {
        if (plan.inexact().isEmpty()) {
            return plan.text();
        }
        try (PreparedStatement bound = connection.prepareStatement(plan.text().text(texts::get))) {
            boolean known = !ResultShape.of(bound.getMetaData()).columns().isEmpty();
            return known ? plan.text() : plan.inexact().get();
        } catch (SQLException rejected) {
            return plan.inexact().get();
        }
    }

    /** The column cache's view of a table, if the query reads all its live rows. */
    private Optional<CacheView> cached(DuckQuery plan, ScanSlot slot, Reader reader, List<Condition> conditions) {
        boolean whole =
                slot.shownOnly() && !slot.withDeleted() && !slot.relation().isNarrowedBy(conditions);
        // A table that got its first files since the query was bound is scanned as the plan says, without the cache.
        boolean asBound = slot.relation().hasFiles() == slot.files();
        return whole
                        && asBound
                        && !plan.dependsOnOrder()
                        && slot.relation() instanceof SqlTable table
                        && !table.isFiltered()
                ? cache.view(table, reader)
                : Optional.empty();
    }

    /** Has DuckDB bind the query without running it, which reports unknown columns and functions. */
    public void check(DuckQuery plan, Reader reader, String user) {
        List<Long> numbers = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (ScanSlot slot : plan.slots()) {
            long number = scans.add(new OpenScan(slot, reader, user, AccessPath.All.ROWS));
            numbers.add(number);
            texts.add(ScanTypes.source(slot, number));
        }
        DuckDBConnection connection = borrow();
        try {
            Rendered text = bindable(connection, plan, texts);
            connection.prepareStatement(text.text(texts::get)).close();
        } catch (SQLException failure) {
            throw DuckErrors.of(failure, plan.written());
        } finally {
            giveBack(connection);
            numbers.forEach(scans::remove);
        }
    }

    /** The rows of a Parquet file in one of the readable directories. */
    public QueryRows file(Path path) {
        String sql =
                "SELECT * FROM read_parquet('" + path.toString().replace("'", "''") + "', hive_partitioning = false)";
        QueryTimes times = new QueryTimes(Instant.EPOCH, Instant.EPOCH);
        Cancellation cancellation = new Cancellation(FILE_MAX);
        return run(
                new PreparedQuery(DuckQuery.ofFile(sql)), NO_READER, "", new Object[0], times, cancellation, () -> {});
    }

    /** Whether the driver lost the reason, as it does when a streamed query fails before its first row. */
    private static boolean hasLostReason(SQLException failure) {
        return String.valueOf(failure.getMessage()).contains("Invalid result set");
    }

    /** Runs the query once more without streaming if the reason is lost: then the driver reports it. */
    private static SQLException reason(Start start, SQLException failure) {
        // After a cancellation a second run would give nothing new.
        if (!hasLostReason(failure) || start.cancellation.stopped().isPresent()) {
            return failure;
        }
        try (PreparedStatement again = start.resources.connection.prepareStatement(start.text)) {
            start.resources.statement(again);
            DuckValues.bind(again, start.bound);
            again.unwrap(DuckDBPreparedStatement.class).query().close();
            return failure;
        } catch (SQLException reason) {
            return reason;
        }
    }

    static RuntimeException failure(
            SQLException failure, DuckQuery plan, List<OpenScan> scans, Cancellation cancellation) {
        for (OpenScan scan : scans) {
            RuntimeException inside = scan.failure.get();
            if (inside != null) {
                return inside;
            }
        }
        Optional<SqlError> stopped = cancellation.stopped();
        return stopped.isPresent() ? stopped.get() : DuckErrors.of(failure, plan.written());
    }

    /** The resources that a query holds until its result is closed. */
    private final class QueryResources {
        private final DuckDBConnection connection;
        private final List<Long> numbers;
        private final List<Runnable> releases;
        private final AutoCloseable closing;
        private final long number = resultBudget.begin();
        private @Nullable PreparedStatement statement;
        private @Nullable ScheduledFuture<?> alarm;
        private @Nullable Cancellation watched;
        private boolean ended;

        QueryResources(
                DuckDBConnection connection, List<Long> numbers, List<Runnable> releases, AutoCloseable closing) {
            this.connection = connection;
            this.numbers = numbers;
            this.releases = releases;
            this.closing = closing;
        }

        /** Sets the statement that a cancellation stops; closes the one before. */
        synchronized void statement(PreparedStatement started) {
            if (statement != null) {
                closeQuietly(statement);
            }
            statement = started;
        }

        /** Lets cancellation and the deadline stop the query; the time since the statement began counts. */
        void watch(Cancellation cancellation) {
            if (alarm == null) {
                alarm = alarms.schedule(
                        () -> cancellation.timeOut(), cancellation.left().toMillis(), TimeUnit.MILLISECONDS);
                cancellation.onStop(this::cancel);
                memory.begin(cancellation, alarms);
                watched = cancellation;
            }
        }

        /**
         * Stops the query. DuckDB ignores a cancellation just before the query begins, so we repeat it until the query
         * has ended, but never after that: the connection may already run another query.
         */
        synchronized void cancel() {
            if (ended || statement == null) {
                return;
            }
            try {
                statement.cancel();
                var unused = alarms.schedule(this::cancel, CANCEL_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (SQLException | RejectedExecutionException ended) {
                LOG.debug("A query that was to be cancelled had ended", ended);
            }
        }

        synchronized void end() {
            if (ended) {
                return;
            }
            ended = true;
            if (alarm != null) {
                alarm.cancel(false);
            }
            if (watched != null) {
                memory.end(watched);
            }
            if (statement != null) {
                closeQuietly(statement);
            }
            resultBudget.end(number);
            numbers.forEach(scans::remove);
            releases.forEach(Runnable::run);
            giveBack(connection);
            closeQuietly(closing);
        }
    }

    /** Describes how each table is read, for EXPLAIN. */
    public List<String> accesses(
            DuckQuery plan, Reader reader, String user, Cancellation cancellation, @Nullable Object[] parameters) {
        return JoinNarrowing.accesses(
                plan,
                reader,
                user,
                cancellation,
                plan.conditions(parameters),
                (slot, narrowed) -> cachedText(plan, slot, reader, narrowed));
    }

    private String cachedText(DuckQuery plan, ScanSlot slot, Reader reader, List<Condition> conditions) {
        return cached(plan, slot, reader, conditions)
                .map(view -> {
                    view.release();
                    return ", " + view;
                })
                .orElse("");
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(DuckEngine::closeQuietly);
            idle.clear();
        }
        cache.close();
        closeQuietly(blocks);
        alarms.shutdownNow();
        closeQuietly(root);
    }
}
