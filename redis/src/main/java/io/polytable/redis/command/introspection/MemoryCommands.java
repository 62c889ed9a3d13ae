package io.polytable.redis.command.introspection;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.ProcessMemory;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.introspection.RowSizes;
import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** MEMORY and its subcommands. */
public final class MemoryCommands implements CommandFamily {
    private static final long USUAL_SAMPLES = 5;
    private static final String[] ALL_SHARDS = {
        "nondeterministic_output", "request_policy:all_shards", "response_policy:special"
    };

    private final Node node;
    private final RowSizes sizes = new RowSizes();

    public MemoryCommands(Node node) {
        this.node = node;
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "memory",
                List.of(
                        speaks("doctor", exactly(2), this::doctor).tips(ALL_SHARDS),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("malloc-stats", exactly(2), this::allocator).tips(ALL_SHARDS),
                        speaks("purge", exactly(2), call -> Reply.OK)
                                .tips("request_policy:all_shards", "response_policy:all_succeeded"),
                        speaks("stats", exactly(2), this::stats)
                                .tips(ALL_SHARDS)
                                .countingKeys(),
                        reads("usage", atLeast(3), KeySpecs.range(2, 2, 1).as(KeyFlag.RO), this::usage))));
    }

    private Reply usage(Call call) {
        long samples = USUAL_SAMPLES;
        if (call.size() == 5 && call.is(3, "SAMPLES")) {
            samples = call.integer(4);
            if (samples < 0) {
                throw RedisError.SYNTAX;
            }
        } else if (call.size() > 3) {
            throw RedisError.SYNTAX;
        }
        OptionalLong bytes = sizes.of(call.space(), call.key(2), samples);
        return bytes.isPresent() ? Reply.of(bytes.getAsLong()) : Reply.ABSENT;
    }

    private Reply doctor(Call call) {
        ProcessMemory memory = ProcessMemory.now();
        boolean tight = memory.heapUsed() > memory.heapMax() / 10 * 9;
        String text = tight
                ? "The heap is nearly full: give the process more of it, or fewer clients with large requests."
                : "The heap has space. Rows live in the store, whose caches have their own limits.";
        return new Reply.Verbatim("txt", Bytes.utf8(text + "\n"));
    }

    private Reply allocator(Call call) {
        return new Reply.Verbatim("txt", Bytes.utf8(ProcessMemory.now().toString() + "\n"));
    }

    private Reply stats(Call call) {
        ProcessMemory memory = ProcessMemory.now();
        List<Reply> parts = new ArrayList<>();
        add(parts, "peak.allocated", memory.peak());
        add(parts, "total.allocated", memory.used());
        add(parts, "startup.allocated", 0);
        add(parts, "replication.backlog", node.replication().heldBytes());
        add(parts, "clients.slaves", node.clients().bytes(true));
        add(parts, "clients.normal", node.clients().bytes(false));
        add(parts, "cluster.links", 0);
        add(parts, "aof.buffer", 0);
        add(parts, "lua.caches", node.scripts().bytes());
        add(parts, "functions.caches", call.space().unit().libraries().bytes());
        long keys = addDatabases(call, parts);
        add(parts, "overhead.total", memory.direct());
        add(parts, "keys.count", keys);
        add(parts, "keys.bytes-per-key", keys == 0 ? 0 : memory.heapUsed() / keys);
        add(parts, "dataset.bytes", memory.heapUsed());
        addRatio(parts, "dataset.percentage", 100 * memory.heapUsed(), memory.used());
        addRatio(parts, "peak.percentage", 100 * memory.used(), memory.peak());
        add(parts, "allocator.allocated", memory.used());
        add(parts, "allocator.active", memory.committed());
        add(parts, "allocator.resident", memory.resident());
        addExcess(parts, "allocator-fragmentation", memory.committed(), memory.used());
        addExcess(parts, "allocator-rss", memory.resident(), memory.committed());
        addExcess(parts, "rss-overhead", memory.resident(), memory.resident());
        addRatio(parts, "fragmentation", memory.resident(), memory.used());
        add(parts, "fragmentation.bytes", memory.resident() - memory.used());
        return Reply.mapOf(parts);
    }

    /** Reports the overhead of rows where Redis reports that of hash tables. Returns the number of keys. */
    private static long addDatabases(Call call, List<Reply> parts) {
        long all = 0;
        for (int db = 0; db < Keyspace.DATABASES; db++) {
            long keys = call.space(db).size();
            if (keys > 0) {
                List<Reply> overhead = new ArrayList<>();
                add(overhead, "overhead.hashtable.main", keys * DataUsage.ROW_COST_BYTES);
                add(overhead, "overhead.hashtable.expires", call.space(db).expiringCount() * DataUsage.ROW_COST_BYTES);
                add(overhead, "overhead.hashtable.slot-to-keys", 0);
                parts.add(Reply.of("db." + db));
                parts.add(Reply.mapOf(overhead));
            }
            all += keys;
        }
        return all;
    }

    /** The ratio of two numbers and their difference. */
    private static void addExcess(List<Reply> parts, String name, long upper, long lower) {
        addRatio(parts, name + ".ratio", upper, lower);
        add(parts, name + ".bytes", upper - lower);
    }

    private static void addRatio(List<Reply> parts, String name, long upper, long lower) {
        parts.add(Reply.of(name));
        parts.add(Reply.of(lower == 0 ? 0.0 : (double) upper / lower));
    }

    private static void add(List<Reply> parts, String name, long value) {
        parts.add(Reply.of(name));
        parts.add(Reply.of(value));
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
