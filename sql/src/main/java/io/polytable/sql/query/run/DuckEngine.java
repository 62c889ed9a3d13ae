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
import io.polytable.table.Reader;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB as the query engine. It has no data of its own: it parses, plans and computes, and reads rows through our
 * scans. It has no network access, reads files only in the directories it is given, and its memory is bounded.
 */
public final class DuckEngine implements AutoCloseable {
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
    private final DuckConnections connections;
    private final ScheduledExecutorService alarms;

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
        connections = new DuckConnections(root);
        blocks = new DuckBlocks(root, scans);
        cache = new ColumnCache(store, blocks, options.cache());
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
        QueryRun run = new QueryRun(
                new QueryRun.Shared(connections, scans, resultBudget, memory, alarms),
                prepared,
                parameters,
                times,
                cancellation,
                closing);
        try {
            List<List<Condition>> conditions =
                    JoinNarrowing.apply(plan, reader, user, cancellation, plan.conditions(parameters));
            for (int i = 0; i < conditions.size(); i++) {
                ScanSlot slot = plan.slots().get(i);
                Optional<CacheView> cached = cached(plan, slot, reader, conditions.get(i));
                cached.ifPresent(view -> run.releaseAtEnd(view::release));
                run.add(FileQuery.open(slot, reader, user, conditions.get(i), cached));
            }
        } catch (RuntimeException failure) {
            run.end();
            throw failure;
        }
        batchLimits.planning(cancellation);
        try {
            return run.start();
        } finally {
            batchLimits.planned();
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
        DuckConnections.Lease lease = connections.borrow();
        List<Long> numbers = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        try {
            for (ScanSlot slot : plan.slots()) {
                long number = scans.add(new OpenScan(slot, reader, user, AccessPath.All.ROWS));
                numbers.add(number);
                texts.add(ScanTypes.source(slot, number));
            }
            Rendered text = bindable(lease.connection(), plan, texts);
            lease.connection().prepareStatement(text.text(texts::get)).close();
        } catch (SQLException failure) {
            throw DuckErrors.of(failure, plan.written());
        } finally {
            connections.giveBack(lease);
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
        connections.close();
        cache.close();
        DuckConnections.closeQuietly(blocks);
        alarms.shutdownNow();
        DuckConnections.closeQuietly(root);
    }
}
