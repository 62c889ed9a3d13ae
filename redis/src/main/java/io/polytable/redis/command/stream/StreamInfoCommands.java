package io.polytable.redis.command.stream;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.stream.Consumer;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamReports;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** XINFO and its subcommands. */
public final class StreamInfoCommands implements CommandFamily {
    private static final KeySpecs KEY = KeySpecs.range(2, 2, 1);
    private static final long FULL_COUNT = 10;

    private final Streams streams;
    private final StreamReports reports;

    public StreamInfoCommands(Streams streams, StreamReports reports) {
        this.streams = streams;
        this.reports = reports;
    }

    @Override
    public Group group() {
        return Group.STREAM;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "xinfo",
                List.of(
                        reads("consumers", exactly(4), KEY, this::consumers).tips("nondeterministic_output"),
                        reads("groups", exactly(3), KEY, this::groups),
                        speaks("help", exactly(2), HelpText::of).with(LOADING, STALE),
                        reads("stream", atLeast(3), KEY, this::stream))));
    }

    private Reply consumers(Call call) {
        List<Reply> items = new ArrayList<>();
        for (Consumer consumer : reports.consumers(call.space(), call.key(2), call.word(3))) {
            long active = consumer.activeMillis();
            items.add(Reply.mapOf(
                    Reply.of("name"),
                    Reply.of(consumer.name()),
                    Reply.of("pending"),
                    Reply.of(consumer.pending()),
                    Reply.of("idle"),
                    Reply.of(Math.max(0, call.nowMillis() - consumer.seenMillis())),
                    Reply.of("inactive"),
                    Reply.of(active == Consumer.NEVER ? active : call.nowMillis() - active)));
        }
        return Reply.many(items);
    }

    private Reply groups(Call call) {
        List<Reply> items = new ArrayList<>();
        for (StreamReports.OfGroup report : reports.groups(call.space(), call.key(2))) {
            items.add(Reply.mapOf(
                    Reply.of("name"),
                    Reply.of(report.group().name()),
                    Reply.of("consumers"),
                    Reply.of(report.group().consumers()),
                    Reply.of("pending"),
                    Reply.of(report.group().pending()),
                    Reply.of("last-delivered-id"),
                    StreamReplies.id(report.group().last()),
                    Reply.of("entries-read"),
                    read(report),
                    Reply.of("lag"),
                    lag(report)));
        }
        return Reply.many(items);
    }

    private static Reply read(StreamReports.OfGroup report) {
        long read = report.group().read();
        return read == io.polytable.redis.model.stream.Group.UNKNOWN ? Reply.ABSENT : Reply.of(read);
    }

    private static Reply lag(StreamReports.OfGroup report) {
        OptionalLong lag = report.lag();
        return lag.isPresent() ? Reply.of(lag.getAsLong()) : Reply.ABSENT;
    }

    private Reply stream(Call call) {
        StreamReports.OfStream report = reports.stream(call.space(), call.key(2));
        long full = fullCount(call);
        List<Reply> items = new ArrayList<>(List.of(
                Reply.of("length"),
                Reply.of(report.length()),
                Reply.of("radix-tree-keys"),
                Reply.of(report.treeKeys()),
                Reply.of("radix-tree-nodes"),
                Reply.of(report.treeNodes()),
                Reply.of("last-generated-id"),
                StreamReplies.id(report.last()),
                Reply.of("max-deleted-entry-id"),
                StreamReplies.id(report.maxDeleted()),
                Reply.of("entries-added"),
                Reply.of(report.added()),
                Reply.of("recorded-first-entry-id"),
                StreamReplies.id(report.first())));
        items.addAll(full < 0 ? edges(call) : everything(call, full));
        return Reply.mapOf(items);
    }

    /** The number of entries and pending entries to show; zero for all, negative without FULL. */
    private static long fullCount(Call call) {
        if (call.size() == 3) {
            return -1;
        }
        boolean counts = call.size() == 6 && call.is(4, "count");
        if ((call.size() != 4 && !counts) || !call.is(3, "full")) {
            throw CommandErrors.subcommandSyntax(call);
        }
        long count = counts ? call.integer(5) : FULL_COUNT;
        return count < 0 ? FULL_COUNT : count;
    }

    private List<Reply> edges(Call call) {
        return List.of(
                Reply.of("groups"),
                Reply.of(reports.groupCount(call.space(), call.key(2))),
                Reply.of("first-entry"),
                edge(call, Direction.FORWARD),
                Reply.of("last-entry"),
                edge(call, Direction.REVERSE));
    }

    private Reply edge(Call call, Direction direction) {
        return range(call, direction, 1).stream()
                .findFirst()
                .map(StreamReplies::entry)
                .orElse(Reply.ABSENT);
    }

    private List<StreamEntry> range(Call call, Direction direction, long limit) {
        return streams.range(call.space(), call.key(2), StreamId.MIN, StreamId.MAX, direction, limit);
    }

    private List<Reply> everything(Call call, long count) {
        List<Reply> groups = new ArrayList<>();
        for (StreamReports.FullGroup group : reports.fullGroups(call.space(), call.key(2), count)) {
            groups.add(full(group));
        }
        return List.of(
                Reply.of("entries"),
                StreamReplies.entries(range(call, Direction.FORWARD, count == 0 ? Long.MAX_VALUE : count)),
                Reply.of("groups"),
                Reply.many(groups));
    }

    private static Reply full(StreamReports.FullGroup full) {
        List<Reply> pending = new ArrayList<>();
        for (Pending each : full.pending()) {
            pending.add(Reply.many(
                    StreamReplies.id(each.id()),
                    Reply.of(each.consumer()),
                    Reply.of(each.deliveredMillis()),
                    Reply.of(each.deliveries())));
        }
        return Reply.mapOf(
                Reply.of("name"),
                Reply.of(full.report().group().name()),
                Reply.of("last-delivered-id"),
                StreamReplies.id(full.report().group().last()),
                Reply.of("entries-read"),
                read(full.report()),
                Reply.of("lag"),
                lag(full.report()),
                Reply.of("pel-count"),
                Reply.of(full.report().group().pending()),
                Reply.of("pending"),
                Reply.many(pending),
                Reply.of("consumers"),
                Reply.many(
                        full.consumers().stream().map(StreamInfoCommands::full).toList()));
    }

    private static Reply full(StreamReports.FullConsumer full) {
        List<Reply> pending = new ArrayList<>();
        for (Pending each : full.pending()) {
            pending.add(Reply.many(
                    StreamReplies.id(each.id()), Reply.of(each.deliveredMillis()), Reply.of(each.deliveries())));
        }
        return Reply.mapOf(
                Reply.of("name"),
                Reply.of(full.consumer().name()),
                Reply.of("seen-time"),
                Reply.of(full.consumer().seenMillis()),
                Reply.of("active-time"),
                Reply.of(full.consumer().activeMillis()),
                Reply.of("pel-count"),
                Reply.of(full.consumer().pending()),
                Reply.of("pending"),
                Reply.many(pending));
    }
}
