package io.polytable.sql;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.sql.command.session.StatementLog;
import io.polytable.sql.tier.StoredFiles;
import io.polytable.sql.wire.SqlEndpoint;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The SQL frontend on the HTTP port, with its counters. */
public final class SqlFrontend implements Frontend {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final Metric SECONDS =
            new Metric("polytable_sql_statement_seconds", "Execution time of SQL statements, failed ones included");

    /** The counters that are metrics; the sum of execution times is part of the histogram. */
    private static final Map<String, String> HELP = Map.of(
            "statements", "SQL statements executed, failed ones included",
            "statement_errors", "SQL statements that returned an error",
            "statements_on_own_path", "SQL queries answered by key or key range, without DuckDB",
            "statements_through_duckdb", "SQL queries executed by DuckDB");

    private final SqlFace sql;
    private final SqlEndpoint endpoint;

    SqlFrontend(SqlFace sql, SqlEndpoint endpoint) {
        this.sql = sql;
        this.endpoint = endpoint;
    }

    @Override
    public String name() {
        return "sql";
    }

    @Override
    public void answer(HttpRequest request, ReplyStream reply) {
        endpoint.answer(request, reply);
    }

    /** The files that the store's manifests name. */
    public StoredFiles storedFiles() {
        return sql.storedFiles();
    }

    @Override
    public void sample(MetricSink sink) {
        StatementLog log = sql.engine().log();
        for (StatementLog.Count count : log.counts()) {
            String help = HELP.get(count.name());
            if (help != null) {
                sink.counter(new Metric("polytable_sql_" + count.name(), help), Labels.NONE, (double) count.value());
            }
        }
        sink.histogram(SECONDS, Labels.NONE, reading(log.latencies()));
    }

    private static LatencyCounts.Reading reading(StatementLog.Latencies latencies) {
        int last = latencies.counts().size() - 1;
        List<Double> bounds = IntStream.rangeClosed(0, last)
                .mapToObj(i -> i == last ? Double.POSITIVE_INFINITY : (1L << i) / MICROS_PER_SECOND)
                .toList();
        return new LatencyCounts.Reading(bounds, latencies.counts(), latencies.sumMicros() / MICROS_PER_SECOND);
    }

    @Override
    public void close() {
        endpoint.close();
        sql.close();
    }
}
