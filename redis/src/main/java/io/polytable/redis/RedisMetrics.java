package io.polytable.redis;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.node.Statistics;
import io.polytable.redis.model.RedisError;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The counters of the event loops as metrics. */
final class RedisMetrics {
    private static final Metric CLIENTS = new Metric("polytable_redis_connections", "Open Redis connections");
    private static final Metric ACCEPTED =
            new Metric("polytable_redis_connections_accepted", "Redis connections accepted");
    private static final Metric REJECTED = new Metric(
            "polytable_redis_connections_rejected", "Redis connections refused because redis.maxclients were open");
    private static final Metric SECONDS =
            new Metric("polytable_redis_command_seconds", "Execution time of Redis commands, by command");
    private static final Metric FAILED = new Metric(
            "polytable_redis_commands_failed", "Redis commands that returned an error while executing, by command");
    private static final Metric REFUSED =
            new Metric("polytable_redis_commands_rejected", "Redis commands refused before execution, by command");
    private static final Metric ERRORS = new Metric("polytable_redis_errors", "Redis error replies, by error code");
    private static final Metric BYTES_IN =
            new Metric("polytable_redis_received_bytes", "Bytes received from Redis clients");
    private static final Metric BYTES_OUT = new Metric("polytable_redis_sent_bytes", "Bytes sent to Redis clients");
    private static final Metric TURNS =
            new Metric("polytable_redis_turns", "Event loop iterations that executed Redis commands");
    private static final Metric FLUSHES = new Metric(
            "polytable_redis_flushes",
            "Event loop iterations that appended to the log; commands per flush show group commit");

    private RedisMetrics() {}

    static void sample(RedisFrontend frontend, MetricSink sink) {
        sink.gauge(CLIENTS, Labels.NONE, (double) frontend.clients().count());
        sink.counter(ACCEPTED, Labels.NONE, (double) frontend.clients().accepted());
        sink.counter(REJECTED, Labels.NONE, (double) frontend.clients().rejected());
        Statistics.Totals totals = frontend.statistics().totals();
        sink.counter(BYTES_IN, Labels.NONE, (double) totals.bytesIn());
        sink.counter(BYTES_OUT, Labels.NONE, (double) totals.bytesOut());
        sink.counter(TURNS, Labels.NONE, (double) totals.turns());
        sink.counter(FLUSHES, Labels.NONE, (double) totals.flushes());
        frontend.commands().commands().forEach(command -> sampleWithSubcommands(frontend, sink, command));
        for (RedisError.Code code : RedisError.Code.values()) {
            long count = frontend.statistics().errors(code);
            if (count > 0) {
                sink.counter(ERRORS, Labels.of("code", code.name()), (double) count);
            }
        }
    }

    private static void sampleWithSubcommands(RedisFrontend frontend, MetricSink sink, Command command) {
        sample(frontend.statistics(), sink, command);
        command.subcommands().forEach(subcommand -> sample(frontend.statistics(), sink, subcommand));
    }

    /** Only commands that were called: hundreds of empty histograms would be noise. */
    private static void sample(Statistics statistics, MetricSink sink, Command command) {
        Statistics.CommandCount count = statistics.of(command);
        if (count.isZero()) {
            return;
        }
        Labels labels = Labels.of("command", command.fullName());
        sink.histogram(SECONDS, labels, reading(statistics.histogram(command), count.nanos()));
        sink.counter(FAILED, labels, (double) count.failed());
        sink.counter(REFUSED, labels, (double) count.rejected());
    }

    private static LatencyCounts.Reading reading(long[] counts, long nanos) {
        int last = counts.length - 1;
        List<Double> bounds = IntStream.rangeClosed(0, last)
                .mapToObj(i -> i == last ? Double.POSITIVE_INFINITY : seconds(Statistics.bucketNanos(i)))
                .toList();
        return new LatencyCounts.Reading(bounds, Arrays.stream(counts).boxed().toList(), seconds(nanos));
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
