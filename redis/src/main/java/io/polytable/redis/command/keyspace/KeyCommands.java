package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RM;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.KeyMoves;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.table.Bytes;
import java.util.List;

/** Commands on keys of any type: DEL, EXISTS, TYPE, RENAME, MOVE, COPY and others. */
public final class KeyCommands implements CommandFamily {
    private static final String[] EACH_SHARD_SUMMED = {"request_policy:multi_shard", "response_policy:agg_sum"};

    private final KeyMoves moves = new KeyMoves();

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        KeySpecs all = KeySpecs.range(1, -1, 1);
        KeySpecs first = KeySpecs.FIRST;
        KeySpecs second = KeySpecs.range(2, 2, 1);
        return List.of(
                writes("del", atLeast(2), all.as(RM, DELETE), this::del).tips(EACH_SHARD_SUMMED),
                writes("unlink", atLeast(2), all.as(RM, DELETE), this::del)
                        .with(FAST)
                        .tips(EACH_SHARD_SUMMED),
                reads("exists", atLeast(2), all.as(RO), this::exists).with(FAST).tips(EACH_SHARD_SUMMED),
                reads("touch", atLeast(2), all.as(RO), this::touch).with(FAST).tips(EACH_SHARD_SUMMED),
                reads("type", exactly(2), first.as(RO), this::type).with(FAST),
                writes("rename", exactly(3), first.as(RW, ACCESS, DELETE).and(second.as(OW, UPDATE)), this::rename),
                writes("renamenx", exactly(3), first.as(RW, ACCESS, DELETE).and(second.as(OW, INSERT)), this::renamenx)
                        .with(FAST),
                writes("copy", atLeast(3), first.as(RO, ACCESS).and(second.as(OW, UPDATE)), this::copy)
                        .with(DENYOOM),
                writes("move", exactly(3), first.as(RW, ACCESS, UPDATE), this::move)
                        .with(FAST));
    }

    private Reply del(Call call) {
        return Reply.of(call.space().removeAll(call.wordsFrom(1)));
    }

    private Reply exists(Call call) {
        return Reply.of(call.space().countPresent(call.wordsFrom(1)));
    }

    private Reply touch(Call call) {
        return Reply.of(call.space().touch(call.wordsFrom(1)));
    }

    private Reply type(Call call) {
        return Reply.simple(call.space()
                .headerNoTouch(call.key(1))
                .map(header -> header.type().text())
                .orElse("none"));
    }

    private Reply rename(Call call) {
        moves.rename(call.space(), call.key(1), call.key(2));
        return Reply.OK;
    }

    private Reply renamenx(Call call) {
        return Reply.of(moves.renameIfAbsent(call.space(), call.key(1), call.key(2)));
    }

    private Reply move(Call call) {
        int target = DatabaseNumbers.at(call, 2);
        if (target == call.session().database()) {
            throw sameObject();
        }
        return Reply.of(moves.move(call.space(), call.key(1), call.space(target)));
    }

    private Reply copy(Call call) {
        int database = call.session().database();
        boolean replace = false;
        for (int i = 3; i < call.size(); i++) {
            if (call.is(i, "replace")) {
                replace = true;
            } else if (call.is(i, "db") && i + 1 < call.size()) {
                database = DatabaseNumbers.at(call, ++i);
            } else {
                throw RedisError.SYNTAX;
            }
        }
        Space target = call.space(database);
        Bytes to = call.key(2);
        if (database == call.session().database() && call.key(1).equals(to)) {
            throw sameObject();
        }
        return Reply.of(moves.copy(call.space(), call.key(1), target, to, replace));
    }

    private static RedisError sameObject() {
        return new RedisError("source and destination objects are the same");
    }
}
