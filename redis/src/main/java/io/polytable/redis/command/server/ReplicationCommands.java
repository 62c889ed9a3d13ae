package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.NO_ASYNC_LOADING;
import static io.polytable.redis.command.Flag.NO_MULTI;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.replication.Following;
import io.polytable.redis.command.replication.ReplicaOptions;
import io.polytable.redis.command.replication.Replication;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.PrimaryPosition;
import java.util.List;
import java.util.Optional;

/** ROLE, PSYNC, REPLCONF and the like: this server as a primary and as a replica. */
public final class ReplicationCommands implements CommandFamily {
    private static final long ANY_OFFSET = -1;

    private final Node node;

    public ReplicationCommands(Node node) {
        this.node = node;
    }

    private static final Flag[] FOLLOWS = {ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING};
    private static final Flag[] STREAMS = {ADMIN, NOSCRIPT, NO_ASYNC_LOADING, NO_MULTI};

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("failover", atLeast(1), this::failover).with(ADMIN, NOSCRIPT, STALE),
                speaks("psync", atLeast(3), this::partially).with(STREAMS),
                speaks("replconf", atLeast(1), this::configure).with(ADMIN, NOSCRIPT, LOADING, STALE, ALLOW_BUSY),
                speaks("replicaof", exactly(3), this::replicaOf).with(FOLLOWS),
                speaks("role", exactly(1), this::role)
                        .with(NOSCRIPT, LOADING, STALE, Flag.FAST)
                        .in(Category.ADMIN, Category.DANGEROUS),
                speaks("slaveof", exactly(3), this::replicaOf).with(FOLLOWS),
                speaks("sync", exactly(1), this::wholly).with(STREAMS));
    }

    private Reply role(Call call) {
        Following following = node.following();
        Optional<PrimaryPosition> primary = following.position();
        if (primary.isPresent()) {
            return Reply.many(
                    Reply.of("slave"),
                    Reply.of(primary.get().host()),
                    Reply.of(primary.get().port()),
                    Reply.of(following.state().text()),
                    Reply.of(
                            following.state() == Following.State.CONNECTED
                                    ? primary.get().offset()
                                    : -1));
        }
        List<Reply> replicas = node.replication().replicas().stream()
                .map(replica -> Reply.many(
                        Reply.of(replica.host()),
                        Reply.of(Integer.toString(replica.port())),
                        Reply.of(Long.toString(replica.acknowledged()))))
                .toList();
        return Reply.many(Reply.of("master"), Reply.of(node.replication().offset()), Reply.many(replicas));
    }

    private Reply replicaOf(Call call) {
        if (call.is(1, "NO") && call.is(2, "ONE")) {
            return new Reply.Later(node.following().lead());
        }
        long port = call.integerOr(2, -1);
        if (port < 0 || port > 65535) {
            throw new RedisError("Invalid master port");
        }
        return new Reply.Later(node.following().follow(call.text(1), (int) port));
    }

    private Reply failover(Call call) {
        if (node.following().isFollowing()) {
            throw new RedisError("FAILOVER is not valid when server is a replica.");
        }
        if (call.size() == 2 && call.is(1, "ABORT")) {
            throw new RedisError("No failover in progress.");
        }
        boolean timed = false;
        boolean aimed = false;
        boolean forced = false;
        for (int at = 1; at < call.size(); at++) {
            if (!timed && call.is(at, "TIMEOUT") && at + 1 < call.size()) {
                timed = true;
                if (call.integer(++at) <= 0) {
                    throw new RedisError("FAILOVER timeout must be greater than 0");
                }
            } else if (!aimed && call.is(at, "TO") && at + 2 < call.size()) {
                aimed = true;
                at += 2;
                long unusedPort = call.integer(at);
            } else if (!forced && call.is(at, "FORCE")) {
                forced = true;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        throw new RedisError("FAILOVER requires connected replicas.");
    }

    private Reply wholly(Call call) {
        return stream(call, "", ANY_OFFSET, false);
    }

    private Reply partially(Call call) {
        return stream(call, call.text(1), call.integerOr(2, ANY_OFFSET), true);
    }

    private Reply stream(Call call, String id, long next, boolean announces) {
        if (call.session().isReplica()) {
            throw new RedisError("this connection is a replica already");
        }
        if (node.following().isFollowing() && node.following().state() != Following.State.CONNECTED) {
            throw new RedisError(RedisError.Code.NOMASTERLINK, "Can't SYNC while not connected with my master");
        }
        node.replication().start(call.session(), id, next, announces);
        return new Reply.NoReply();
    }

    private Reply configure(Call call) {
        if (call.size() % 2 == 0) {
            throw RedisError.SYNTAX;
        }
        Replication replication = node.replication();
        ReplicaOptions options = replication.options(call.session());
        for (int at = 1; at < call.size(); at += 2) {
            if (call.is(at, "ACK")) {
                replication.acknowledge(call.session(), call.integerOr(at + 1, 0));
                return new Reply.NoReply();
            } else if (call.is(at, "LISTENING-PORT")) {
                options = options.withPort((int) Math.max(0, Math.min(65535, call.integer(at + 1))));
            } else if (call.is(at, "IP-ADDRESS")) {
                options = options.withHost(call.text(at + 1));
            } else if (call.is(at, "CAPA")) {
                options = call.is(at + 1, "EOF") ? options.withMark() : options;
            } else if (!call.is(at, "RDB-ONLY") && !call.is(at, "VERSION")) {
                throw new RedisError("Unrecognized REPLCONF option: " + call.quoted(at));
            }
        }
        if (!options.equals(ReplicaOptions.NONE)) {
            replication.tell(call.session(), options);
        }
        return Reply.OK;
    }
}
