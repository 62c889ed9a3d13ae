package io.polytable.redis.command.server;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.config.Percentiles;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Rates;
import io.polytable.redis.command.node.Statistics;
import io.polytable.redis.command.replication.ReplicationCounts;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Lookups;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The sections of INFO about activity: commands, errors, latencies, keys. */
final class ActivityReport {
    private final Node node;

    ActivityReport(Node node) {
        this.node = node;
    }

    void stats(Call call, Report report) {
        Statistics.Totals totals = node.statistics().totals();
        Rates.Rate rate = node.statistics().rate();
        ReplicationCounts replication = node.replicationCounts();
        Lookups.Sums lookups = node.keyspace().lookups().sums();
        report.section("Stats")
                .line("total_connections_received", node.clients().accepted())
                .line("total_commands_processed", totals.commands())
                .line("instantaneous_ops_per_sec", Math.round(rate.commands()))
                .line("total_net_input_bytes", totals.bytesIn())
                .line("total_net_output_bytes", totals.bytesOut())
                .line("total_net_repl_input_bytes", replication.bytesIn())
                .line("total_net_repl_output_bytes", replication.bytesOut())
                .decimal("instantaneous_input_kbps", rate.bytesIn() / 1024)
                .decimal("instantaneous_output_kbps", rate.bytesOut() / 1024)
                .decimal("instantaneous_input_repl_kbps", replication.inPerSecond() / 1024)
                .decimal("instantaneous_output_repl_kbps", replication.outPerSecond() / 1024)
                .line("rejected_connections", node.clients().rejected())
                .line("sync_full", replication.full())
                .line("sync_partial_ok", replication.partial())
                .line("sync_partial_err", replication.refused())
                .line("expired_keys", lookups.expired())
                .line("expired_stale_perc", "0.00")
                .line("expired_time_cap_reached_count", 0)
                .line("expire_cycle_cpu_milliseconds", node.keyspace().lookups().expiryMillis())
                .line("evicted_keys", lookups.evicted())
                .line("evicted_clients", 0)
                .line("total_eviction_exceeded_time", 0)
                .line("current_eviction_exceeded_time", 0)
                .line("keyspace_hits", lookups.hits())
                .line("keyspace_misses", lookups.misses())
                .line("pubsub_channels", node.pubSub().count(Kind.CHANNEL))
                .line("pubsub_patterns", node.pubSub().count(Kind.PATTERN))
                .line("pubsubshard_channels", node.pubSub().count(Kind.SHARD))
                .line("latest_fork_usec", 0)
                .line("total_forks", 0)
                .line("migrate_cached_sockets", 0)
                .line("slave_expires_tracked_keys", 0)
                .line("active_defrag_hits", 0)
                .line("active_defrag_misses", 0)
                .line("active_defrag_key_hits", 0)
                .line("active_defrag_key_misses", 0)
                .line("total_active_defrag_time", 0)
                .line("current_active_defrag_time", 0)
                .line("tracking_total_keys", node.tracking().keys())
                .line("tracking_total_items", node.tracking().items())
                .line("tracking_total_prefixes", node.tracking().prefixes())
                .line("unexpected_error_replies", 0)
                .line("total_error_replies", totals.errors())
                .line("dump_payload_sanitizations", restored(call))
                .line("acl_access_denied_auth", node.aclLog().denied(Denial.Kind.AUTH))
                .line("acl_access_denied_cmd", node.aclLog().denied(Denial.Kind.COMMAND))
                .line("acl_access_denied_key", node.aclLog().denied(Denial.Kind.KEY))
                .line("acl_access_denied_channel", node.aclLog().denied(Denial.Kind.CHANNEL))
                .line("event_loop_turns", totals.turns())
                .line("log_flushes", totals.flushes());
        loops(report, totals, rate);
    }

    private static void loops(Report report, Statistics.Totals totals, Rates.Rate rate) {
        Statistics.LoopTotals loops = totals.loops();
        report.line("total_reads_processed", loops.reads())
                .line("total_writes_processed", loops.writes())
                .line("io_threaded_reads_processed", 0)
                .line("io_threaded_writes_processed", 0)
                .line("reply_buffer_shrinks", loops.buffersShrunk())
                .line("reply_buffer_expands", loops.buffersExpanded())
                .line("eventloop_cycles", totals.turns())
                .line("eventloop_duration_sum", loops.turnNanos() / 1000)
                .line("eventloop_duration_cmd_sum", loops.commandNanos() / 1000)
                .line("instantaneous_eventloop_cycles_per_sec", Math.round(rate.turns()))
                .line("instantaneous_eventloop_duration_usec", Math.round(rate.turnMicros()));
    }

    /** RESTORE validates every payload fully, so its calls are counted. */
    private long restored(Call call) {
        Command restore = call.table().findFull(Bytes.utf8("restore"));
        return restore == null ? 0 : node.statistics().of(restore).calls();
    }

    void commands(Call call, Report report) {
        report.section("Commandstats");
        each(call.table().commands(), command -> {
            Statistics.CommandCount count = node.statistics().of(command);
            if (!count.isZero()) {
                report.line("cmdstat_" + command.fullName(), commandLine(count));
            }
        });
    }

    private static String commandLine(Statistics.CommandCount count) {
        long micros = count.nanos() / 1000;
        double average = count.calls() == 0 ? 0 : (double) micros / count.calls();
        return String.format(
                Locale.ROOT,
                "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
                count.calls(),
                micros,
                average,
                count.rejected(),
                count.failed());
    }

    void errors(Report report) {
        report.section("Errorstats");
        for (RedisError.Code code : RedisError.Code.values()) {
            long count = node.statistics().errors(code);
            if (count > 0) {
                report.line("errorstat_" + code, "count=" + count);
            }
        }
    }

    void latencies(Call call, Report report) {
        report.section("Latencystats");
        if (!node.settings().latencyTracking()) {
            return;
        }
        List<Double> wanted = node.settings().latencyPercentiles();
        each(call.table().commands(), command -> {
            if (node.statistics().of(command).calls() > 0) {
                report.line(
                        "latency_percentiles_usec_" + command.fullName(),
                        percentiles(node.statistics().histogram(command), wanted));
            }
        });
    }

    private static String percentiles(long[] counts, List<Double> wanted) {
        StringBuilder text = new StringBuilder();
        for (double percentile : wanted) {
            text.append(text.isEmpty() ? "p" : ",p")
                    .append(Percentiles.text(percentile))
                    .append('=')
                    .append(String.format(Locale.ROOT, "%.3f", micros(counts, percentile)));
        }
        return text.toString();
    }

    /** The upper bound of the bucket that contains the percentile. */
    private static double micros(long[] counts, double percentile) {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        double wanted = total * percentile / 100;
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            if (sum > 0 && sum >= wanted) {
                return Statistics.bucketNanos(i) / 1000.0;
            }
        }
        return 0;
    }

    void keyspace(Call call, Report report) {
        report.section("Keyspace");
        for (int db = 0; db < Keyspace.DATABASES; db++) {
            Space space = call.space(db);
            long keys = space.size();
            if (keys > 0) {
                report.line(
                        "db" + db,
                        "keys=" + keys + ",expires=" + space.expiringCount() + ",avg_ttl=" + space.averageLifeMillis());
            }
        }
    }

    private static void each(List<Command> commands, Consumer<Command> action) {
        for (Command command : commands) {
            action.accept(command);
            each(command.subcommands(), action);
        }
    }
}
