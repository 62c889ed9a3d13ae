package io.polytable.redis.command.cluster;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.NO_ASYNC_LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Arity;
import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.KeyWalk;
import io.polytable.redis.model.row.Slots;
import io.polytable.table.Bytes;
import java.util.List;

/**
 * CLUSTER on a server that owns all slots. The slot map contains this server alone, which is what cluster clients need.
 * Commands that change the cluster are rejected.
 */
public final class ClusterCommands implements CommandFamily {
    private static final String VARIES = "nondeterministic_output";
    private static final Flag[] CHANGES = {ADMIN, STALE, NO_ASYNC_LOADING};
    private static final Reply LAST_SLOT = Reply.of(Slots.COUNT - 1L);

    private final Node node;
    private final KeyWalk walk = new KeyWalk();

    public ClusterCommands(Node node) {
        this.node = node;
    }

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "cluster",
                List.of(
                        refuses("addslots", atLeast(3)),
                        refuses("addslotsrange", atLeast(4)),
                        refuses("bumpepoch", exactly(2)).tips(VARIES),
                        disabled("count-failure-reports", exactly(3))
                                .with(ADMIN, STALE)
                                .tips(VARIES),
                        asks("countkeysinslot", exactly(3), this::countKeysInSlot)
                                .offLoop(),
                        refuses("delslots", atLeast(3)),
                        refuses("delslotsrange", atLeast(4)),
                        refuses("failover", atLeast(2)),
                        refuses("flushslots", exactly(2)),
                        refuses("forget", exactly(3)),
                        asks("getkeysinslot", exactly(4), this::getKeysInSlot)
                                .offLoop()
                                .tips(VARIES),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        asks("info", exactly(2), this::info).tips(VARIES),
                        asks("keyslot", exactly(3), call -> Reply.of(Slots.of(call.word(2)))),
                        disabled("links", exactly(2)).with(STALE).tips(VARIES),
                        refuses("meet", atLeast(4)),
                        asks("myid", exactly(2), call -> Reply.of(node.runId())),
                        asks("myshardid", exactly(2), call -> Reply.of(node.runId()))
                                .tips(VARIES),
                        asks("nodes", exactly(2), this::nodes).tips(VARIES),
                        disabled("replicas", exactly(3)).with(ADMIN, STALE).tips(VARIES),
                        refuses("replicate", exactly(3)),
                        disabled("reset", atLeast(2)).with(ADMIN, STALE, NOSCRIPT),
                        refuses("saveconfig", exactly(2)),
                        refuses("set-config-epoch", exactly(3)),
                        refuses("setslot", atLeast(4)),
                        asks("shards", exactly(2), this::shards).tips(VARIES),
                        disabled("slaves", exactly(3)).with(ADMIN, STALE).tips(VARIES),
                        asks("slots", exactly(2), this::slots).tips(VARIES))));
    }

    private static Command asks(String name, Arity arity, Body body) {
        return speaks(name, arity, body).with(STALE);
    }

    private static Command refuses(String name, Arity arity) {
        return disabled(name, arity).with(CHANGES);
    }

    static Command disabled(String name, Arity arity) {
        return speaks(name, arity, call -> {
            throw new RedisError("This instance has cluster support disabled");
        });
    }

    private Reply countKeysInSlot(Call call) {
        int slot = slot(call, "Invalid slot");
        return Reply.of(
                walk.all(call.space(), (key, header) -> Slots.of(key) == slot).size());
    }

    private Reply getKeysInSlot(Call call) {
        int slot = slot(call, "Invalid slot or number of keys");
        long count = call.integer(3);
        if (count < 0) {
            throw new RedisError("Invalid slot or number of keys");
        }
        List<Bytes> keys = walk.all(call.space(), (key, header) -> Slots.of(key) == slot);
        return Reply.bulks(keys.subList(0, (int) Math.min(count, keys.size())));
    }

    private static int slot(Call call, String otherwise) {
        long slot = call.integer(2);
        if (slot < 0 || slot >= Slots.COUNT) {
            throw new RedisError(otherwise);
        }
        return (int) slot;
    }

    private Reply info(Call call) {
        return verbatim(String.join(
                "\r\n",
                "cluster_state:ok",
                "cluster_slots_assigned:" + Slots.COUNT,
                "cluster_slots_ok:" + Slots.COUNT,
                "cluster_slots_pfail:0",
                "cluster_slots_fail:0",
                "cluster_known_nodes:1",
                "cluster_size:1",
                "cluster_current_epoch:0",
                "cluster_my_epoch:0",
                "cluster_stats_messages_sent:0",
                "cluster_stats_messages_received:0",
                "total_cluster_links_buffer_limit_exceeded:0",
                ""));
    }

    private Reply nodes(Call call) {
        return verbatim(node.runId() + " " + host(call) + ":" + port() + "@0 myself,master - 0 0 0 connected 0-"
                + (Slots.COUNT - 1) + "\n");
    }

    private static Reply verbatim(String text) {
        return new Reply.Verbatim("txt", Bytes.utf8(text));
    }

    private Reply slots(Call call) {
        Reply self = Reply.many(Reply.of(host(call)), Reply.of(port()), Reply.of(node.runId()), Reply.EMPTY);
        return Reply.many(Reply.many(Reply.ZERO, LAST_SLOT, self));
    }

    private Reply shards(Call call) {
        Reply self = Reply.mapOf(
                Reply.of("id"),
                Reply.of(node.runId()),
                Reply.of("port"),
                Reply.of(port()),
                Reply.of("ip"),
                Reply.of(host(call)),
                Reply.of("endpoint"),
                Reply.of(host(call)),
                Reply.of("role"),
                Reply.of("master"),
                Reply.of("replication-offset"),
                Reply.ZERO,
                Reply.of("health"),
                Reply.of("online"));
        return Reply.many(
                Reply.mapOf(Reply.of("slots"), Reply.many(Reply.ZERO, LAST_SLOT), Reply.of("nodes"), Reply.many(self)));
    }

    /** The address that the client connected to: behind it, this server is reachable for that client. */
    private static String host(Call call) {
        String address = call.session().peer().localAddress();
        String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private long port() {
        return node.settings().port();
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
