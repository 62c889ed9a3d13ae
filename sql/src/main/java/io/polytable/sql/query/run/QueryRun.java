package io.polytable.sql.query.run;

import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.QueryTimes;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.query.duck.DuckValues;
import io.polytable.sql.query.plan.DuckQuery;
import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.scan.FileQuery;
import io.polytable.sql.query.scan.OpenScan;
import io.polytable.sql.query.scan.ScanFunction;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a query in DuckDB, and the resources that it holds until its result is closed. */
final class QueryRun {
    private static final long CANCEL_AGAIN_MILLIS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(QueryRun.class);

    private final Shared shared;
    private final PreparedQuery prepared;
    private final @Nullable Object[] parameters;
    private final QueryTimes times;
    private final Cancellation cancellation;
    private final AutoCloseable closing;
    private final DuckConnections.Lease lease;
    private final List<OpenScan> opened = new ArrayList<>();
    private final List<String> sources = new ArrayList<>();
    private final List<Runnable> releases = new ArrayList<>();

    /** Whether the text is the same in the next run. */
    private boolean repeats;

    /** The text that was started last, and the values of its parameters. */
    private String text = "";

    private List<@Nullable Object> bound = List.of();

    /** The statement in use and its text. */
    private @Nullable PreparedStatement statement;

    private String statementText = "";
    private @Nullable ResultSet result;
    private @Nullable ScheduledFuture<?> alarm;
    private boolean failed;
    private boolean ended;

    /** What all queries share. */
    record Shared(
            DuckConnections connections,
            ScanFunction scans,
            ResultBudget budget,
            MemoryWatch memory,
            ScheduledExecutorService alarms) {}

    /** @param closing closed with the result, or when the query fails */
    QueryRun(
            Shared shared,
            PreparedQuery prepared,
            @Nullable Object[] parameters,
            QueryTimes times,
            Cancellation cancellation,
            AutoCloseable closing) {
        this.shared = shared;
        this.prepared = prepared;
        this.parameters = parameters;
        this.times = times;
        this.cancellation = cancellation;
        this.closing = closing;
        repeats = prepared.isReusable();
        lease = shared.connections().borrow();
        shared.budget().begin(lease.firstScan());
    }

    /** Adds what the next hole of the text reads. */
    void add(FileQuery files) {
        releases.add(files::release);
        repeats &= files.isPlain();
        List<Long> numbers = new ArrayList<>();
        for (OpenScan scan : files.scans()) {
            long number = lease.firstScan() + opened.size();
            shared.scans().add(number, scan);
            opened.add(scan);
            numbers.add(number);
        }
        sources.add(files.text(numbers));
    }

    void releaseAtEnd(Runnable release) {
        releases.add(release);
    }

    /** Starts the query; a failure ends it. */
    QueryRows start() {
        try {
            try {
                return started(form());
            } catch (SQLException failure) {
                SQLException reason = reason(failure);
                DuckQuery plan = prepared.query();
                // DuckDB has no name for its failure to plan variants of macros in a lateral join.
                boolean unplanned = DuckErrors.of(reason, Optional.empty()).code() == SqlCode.DATA_EXCEPTION;
                if (plan.inexact().isEmpty()
                        || !unplanned
                        || cancellation.stopped().isPresent()) {
                    throw reason;
                }
                return started(shaped(plan.inexact().get()));
            }
        } catch (SQLException failure) {
            RuntimeException error = failed(reason(failure));
            end();
            throw error;
        } catch (RuntimeException failure) {
            failed = true;
            end();
            throw failure;
        }
    }

    /** What an earlier run has shown, or else what DuckDB says now; an error of both texts is that of the second. */
    private PreparedQuery.Form form() throws SQLException {
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
            return exact.shape().columns().isEmpty() ? shaped(query.inexact().get()) : exact;
        } catch (SQLException rejected) {
            return shaped(query.inexact().get());
        }
    }

    /** Has DuckDB bind a text, which shows its columns. */
    private PreparedQuery.Form shaped(Rendered rendered) throws SQLException {
        use(rendered);
        PreparedStatement statement = prepare();
        ResultShape shape = ResultShape.of(statement, lease.connection(), text, bound);
        return prepared.learn(rendered, shape, parameters);
    }

    private void use(Rendered rendered) {
        text = rendered.text(sources::get);
        bound = DuckQuery.bound(rendered, parameters, times);
    }

    private PreparedStatement prepare() throws SQLException {
        PreparedStatement present = statement;
        if (present != null && statementText.equals(text)) {
            return present;
        }
        // Before planning, which computes calls with constants only.
        watch();
        PreparedStatement fresh = lease.connection().prepareStatement(text);
        use(fresh);
        return fresh;
    }

    /** Sets the statement that a cancellation stops; closes the one before. */
    private synchronized void use(PreparedStatement started) {
        if (statement != null) {
            DuckConnections.closeQuietly(statement);
        }
        statement = started;
        statementText = text;
    }

    private QueryRows started(PreparedQuery.Form form) throws SQLException {
        use(form.text());
        ResultShape plain = form.shape();
        Optional<String> guarded = ResultBudget.guarded(text, plain.typeNames(), lease.firstScan());
        text = guarded.orElse(text);
        ResultSet rows = executed();
        result = rows;
        // Only now are types known that depend on parameters.
        ResultShape found = ResultShape.of(rows.getMetaData());
        ResultShape shape = guarded.isPresent() ? found.withoutGuardColumn(plain) : found;
        boolean infinity = prepared.query().mayGiveInfinity(parameters);
        return new DuckRows(rows, shape, this, infinity);
    }

    private ResultSet executed() throws SQLException {
        // A statement that was prepared just now has bound the scans: whether an older one does could not be seen.
        Optional<PreparedStatement> kept = repeats && statement == null ? lease.take(text) : Optional.empty();
        if (kept.isPresent()) {
            watch();
            use(kept.get());
            ResultSet rows = executed(kept.get());
            // DuckDB binds a kept statement again at each run. Without that, it would read the scans of an earlier one.
            if (opened.isEmpty() || opened.stream().anyMatch(scan -> scan.bound)) {
                return rows;
            }
            DuckConnections.closeQuietly(rows);
            statementText = "";
        }
        return executed(prepare());
    }

    private ResultSet executed(PreparedStatement ready) throws SQLException {
        DuckValues.bind(ready, bound);
        // Planning cannot be cancelled: what stopped the statement meanwhile has had no effect yet.
        cancellation.checkNow();
        return ready.executeQuery();
    }

    /** Lets cancellation and the deadline stop the query; the time since the statement began counts. */
    private void watch() {
        if (alarm == null) {
            alarm = shared.alarms()
                    .schedule(() -> cancellation.timeOut(), cancellation.left().toMillis(), TimeUnit.MILLISECONDS);
            cancellation.onStop(this::cancel);
            shared.memory().begin(cancellation, shared.alarms());
        }
    }

    /**
     * Stops the query. DuckDB ignores a cancellation just before the query begins, so we repeat it until the query
     * has ended, but never after that: the connection may already run another query.
     */
    private synchronized void cancel() {
        failed = true;
        if (ended || statement == null) {
            return;
        }
        try {
            statement.cancel();
            var unused = shared.alarms().schedule(this::cancel, CANCEL_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (SQLException | RejectedExecutionException ended) {
            LOG.debug("A query that was to be cancelled had ended", ended);
        }
    }

    /** Ends the query and releases what it holds. */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (alarm != null) {
            alarm.cancel(false);
            shared.memory().end(cancellation);
        }
        if (result != null) {
            DuckConnections.closeQuietly(result);
        }
        if (statement != null && repeats && !failed) {
            lease.keep(statementText, statement);
        } else if (statement != null) {
            DuckConnections.closeQuietly(statement);
        }
        shared.budget().end(lease.firstScan());
        for (int i = 0; i < opened.size(); i++) {
            shared.scans().remove(lease.firstScan() + i);
        }
        releases.forEach(Runnable::run);
        shared.connections().giveBack(lease);
        DuckConnections.closeQuietly(closing);
    }

    /** Whether the driver lost the reason, as it does when a streamed query fails before its first row. */
    private static boolean hasLostReason(SQLException failure) {
        return String.valueOf(failure.getMessage()).contains("Invalid result set");
    }

    /** Runs the query once more without streaming if the reason is lost: then the driver reports it. */
    private SQLException reason(SQLException failure) {
        failed = true;
        // After a cancellation a second run would give nothing new.
        if (!hasLostReason(failure) || cancellation.stopped().isPresent()) {
            return failure;
        }
        try (PreparedStatement again = lease.connection().prepareStatement(text)) {
            use(again);
            DuckValues.bind(again, bound);
            again.unwrap(DuckDBPreparedStatement.class).query().close();
            return failure;
        } catch (SQLException reason) {
            return reason;
        }
    }

    /** The error of a run that failed. */
    RuntimeException failed(SQLException failure) {
        failed = true;
        for (OpenScan scan : opened) {
            RuntimeException inside = scan.failure.get();
            if (inside != null) {
                return inside;
            }
        }
        Optional<SqlError> stopped = cancellation.stopped();
        return stopped.isPresent()
                ? stopped.get()
                : DuckErrors.of(failure, prepared.query().written());
    }

    void check() {
        cancellation.check();
    }

    /** Whether a scan had an infinite value. */
    boolean sawInfinity() {
        return opened.stream().anyMatch(scan -> scan.sawInfinity);
    }
}
