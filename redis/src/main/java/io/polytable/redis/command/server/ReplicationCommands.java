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
import io.polytable.redis.model.RedisError;
import java.util.List;

/** ROLE, REPLICAOF, PSYNC and the like: this server has no replicas and is none. */
public final class ReplicationCommands implements CommandFamily {
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
                speaks("psync", atLeast(3), this::stream).with(STREAMS),
                speaks("replconf", atLeast(1), this::configure).with(ADMIN, NOSCRIPT, LOADING, STALE, ALLOW_BUSY),
                speaks("replicaof", exactly(3), this::replicaOf).with(FOLLOWS),
                speaks("role", exactly(1), this::role)
                        .with(NOSCRIPT, LOADING, STALE, Flag.FAST)
                        .in(Category.ADMIN, Category.DANGEROUS),
                speaks("slaveof", exactly(3), this::replicaOf).with(FOLLOWS),
                speaks("sync", exactly(1), this::stream).with(STREAMS));
    }

    private Reply role(Call call) {
        return Reply.many(Reply.of("master"), Reply.ZERO, Reply.EMPTY);
    }

    private Reply replicaOf(Call call) {
        if (call.is(1, "NO") && call.is(2, "ONE")) {
            return Reply.OK;
        }
        long port = call.integerOr(2, -1);
        if (port < 0 || port > 65535) {
            throw new RedisError("Invalid master port");
        }
        throw new RedisError("REPLICAOF is not supported: this server follows no other");
    }

    private Reply failover(Call call) {
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

    private Reply stream(Call call) {
        throw new RedisError("Replication is disabled: this server has no stream for replicas");
    }

    private Reply configure(Call call) {
        if (call.size() % 2 == 0) {
            throw RedisError.SYNTAX;
        }
        if (call.size() == 1) {
            return Reply.OK;
        }
        return stream(call);
    }
}
