package io.polytable.redis.command.hyperloglog;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.hyperloglog.HyperLogLogs;
import io.polytable.redis.model.hyperloglog.SelfTest;
import java.util.List;

/** The HyperLogLog family. */
public final class HyperLogLogCommands implements CommandFamily {
    private static final KeySpecs COUNTED = KeySpecs.range(1, -1, 1)
            .as(RW, ACCESS)
            .note("RW because it may change the internal representation of the key, and propagate to replicas");
    private static final KeySpecs MERGED =
            FIRST.as(RW, ACCESS, INSERT).and(KeySpecs.range(2, -1, 1).as(RO, ACCESS));

    private final HyperLogLogs sketches;

    public HyperLogLogCommands(HyperLogLogs sketches) {
        this.sketches = sketches;
    }

    @Override
    public Group group() {
        return Group.HYPERLOGLOG;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("pfadd", atLeast(2), FIRST.as(RW, INSERT), this::pfAdd).with(DENYOOM, FAST),
                reads("pfcount", atLeast(2), COUNTED, this::pfCount),
                writes("pfdebug", exactly(3), KeySpecs.range(2, 2, 1).as(RW, ACCESS), this::pfDebug)
                        .with(DENYOOM, ADMIN),
                writes("pfmerge", atLeast(2), MERGED, this::pfMerge).with(DENYOOM),
                speaks("pfselftest", exactly(1), call -> pfSelfTest()).with(ADMIN));
    }

    private Reply pfAdd(Call call) {
        return Reply.of(sketches.add(call.space(), call.key(1), call.wordsFrom(2)));
    }

    private Reply pfCount(Call call) {
        return Reply.of(
                call.size() == 2
                        ? sketches.count(call.space(), call.key(1))
                        : sketches.count(call.space(), call.wordsFrom(1)));
    }

    private Reply pfMerge(Call call) {
        sketches.merge(call.space(), call.key(1), call.wordsFrom(2));
        return Reply.OK;
    }

    private Reply pfDebug(Call call) {
        // As in Redis, a wrong key is reported before a wrong subcommand.
        String encoding = sketches.encoding(call.space(), call.key(2));
        if (call.is(1, "getreg")) {
            return Reply.many(sketches.registers(call.space(), call.key(2)).stream()
                    .map(Reply::of)
                    .toList());
        }
        if (call.is(1, "decode")) {
            return Reply.of(sketches.decode(call.space(), call.key(2)));
        }
        if (call.is(1, "encoding")) {
            return Reply.simple(encoding);
        }
        if (call.is(1, "todense")) {
            return Reply.of(sketches.toDense(call.space(), call.key(2)));
        }
        throw new RedisError("Unknown PFDEBUG subcommand '" + call.quoted(1) + "'");
    }

    private static Reply pfSelfTest() {
        SelfTest.run().ifPresent(failure -> {
            throw new RedisError("TESTFAILED " + failure);
        });
        return Reply.OK;
    }
}
