package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.LatencyEvents;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Statistics;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** LATENCY and its subcommands. */
public final class LatencyCommands implements CommandFamily {
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};
    private static final String[] ALL_NODES = {
        "nondeterministic_output", "request_policy:all_nodes", "response_policy:special"
    };

    private final LatencyEvents events;
    private final RedisConfig settings;
    private final Statistics statistics;

    public LatencyCommands(Node node) {
        this.events = node.latency();
        this.settings = node.settings();
        this.statistics = node.statistics();
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "latency",
                List.of(
                        speaks("doctor", exactly(2), this::doctor).with(ADMINS).tips(ALL_NODES),
                        speaks("graph", exactly(3), this::graph).with(ADMINS).tips(ALL_NODES),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("histogram", atLeast(2), this::histogram)
                                .with(ADMINS)
                                .tips(ALL_NODES),
                        speaks("history", exactly(3), this::history)
                                .with(ADMINS)
                                .tips(ALL_NODES),
                        speaks("latest", exactly(2), this::latest).with(ADMINS).tips(ALL_NODES),
                        speaks("reset", atLeast(2), this::reset)
                                .with(ADMINS)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"))));
    }

    private Reply latest(Call call) {
        return Reply.many(events.latest().stream()
                .map(latest -> Reply.many(
                        Reply.of(latest.event()),
                        Reply.of(latest.last().atSeconds()),
                        Reply.of(latest.last().millis()),
                        Reply.of(latest.highestMillis())))
                .toList());
    }

    private Reply history(Call call) {
        return Reply.many(events.history(call.text(2)).stream()
                .map(sample -> Reply.many(Reply.of(sample.atSeconds()), Reply.of(sample.millis())))
                .toList());
    }

    private Reply reset(Call call) {
        List<String> named = new ArrayList<>();
        for (int i = 2; i < call.size(); i++) {
            named.add(call.text(i));
        }
        return Reply.of(events.reset(named));
    }

    private Reply doctor(Call call) {
        List<LatencyEvents.Latest> latest = events.latest();
        StringBuilder text = new StringBuilder();
        if (settings.latencyThresholdMillis() == 0 && latest.isEmpty()) {
            text.append("Latency is not watched: set latency-monitor-threshold to a number of milliseconds first.");
        } else if (latest.isEmpty()) {
            text.append("No event took as long as latency-monitor-threshold says.");
        }
        for (LatencyEvents.Latest each : latest) {
            text.append(each.event())
                    .append(": ")
                    .append(events.history(each.event()).size())
                    .append(" slow moments, the longest of ")
                    .append(each.highestMillis())
                    .append(" ms. SLOWLOG GET shows the commands.\n");
        }
        return new Reply.Verbatim("txt", Bytes.utf8(text.toString()));
    }

    private Reply graph(Call call) {
        List<LatencyEvents.Sample> samples = events.history(call.text(2));
        if (samples.isEmpty()) {
            throw new RedisError("No samples available for event '" + call.quoted(2) + "'");
        }
        long highest =
                samples.stream().mapToLong(LatencyEvents.Sample::millis).max().orElse(1);
        long lowest =
                samples.stream().mapToLong(LatencyEvents.Sample::millis).min().orElse(0);
        long ever = events.latest().stream()
                .filter(latest -> latest.event().equals(call.text(2)))
                .mapToLong(LatencyEvents.Latest::highestMillis)
                .max()
                .orElse(highest);
        StringBuilder text = new StringBuilder(
                call.text(2) + " - high " + highest + " ms, low " + lowest + " ms (all time high " + ever + " ms)\n");
        text.append("-".repeat(80)).append('\n');
        for (LatencyEvents.Sample sample : samples) {
            int width = (int) Math.max(1, sample.millis() * 60 / Math.max(1, highest));
            text.append("#".repeat(width)).append(' ').append(sample.millis()).append(" ms\n");
        }
        return new Reply.Verbatim("txt", Bytes.utf8(text.toString()));
    }

    private Reply histogram(Call call) {
        List<Reply> all = new ArrayList<>();
        if (call.size() == 2) {
            call.table().commands().forEach(command -> addAll(command, all));
        }
        for (int i = 2; i < call.size(); i++) {
            Command command = call.table().findFull(call.word(i));
            if (command != null) {
                addAll(command, all);
            }
        }
        return Reply.mapOf(all);
    }

    /** Adds the command and its subcommands, if they were called. */
    private void addAll(Command command, List<Reply> all) {
        long calls = statistics.of(command).calls();
        if (calls > 0) {
            all.add(Reply.of(command.fullName()));
            all.add(Reply.mapOf(
                    Reply.of("calls"),
                    Reply.of(calls),
                    Reply.of("histogram_usec"),
                    buckets(statistics.histogram(command))));
        }
        command.subcommands().forEach(sub -> addAll(sub, all));
    }

    /** Cumulative counts; empty buckets are omitted. */
    private static Reply buckets(long[] counts) {
        List<Reply> buckets = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                sum += counts[i];
                long bound = Statistics.bucketNanos(i);
                // Redis reports the highest value that its histogram does not distinguish from the bound.
                buckets.add(Reply.of((bound + bound / 128 - 1) / 1000));
                buckets.add(Reply.of(sum));
            }
        }
        return Reply.mapOf(buckets);
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
