package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.FAST;

import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Deadlines;
import io.polytable.redis.model.keyspace.Deadlines.Condition;
import io.polytable.redis.model.row.Header;
import java.util.List;
import java.util.Optional;

/** EXPIRE, TTL, PERSIST and their variants in seconds and milliseconds, relative and absolute. */
public final class ExpiryCommands implements CommandFamily {
    private static final long NO_KEY = -2;
    private static final long NO_DEADLINE = -1;
    private static final int SECOND = 1000;
    private static final int MILLISECOND = 1;

    private final Deadlines deadlines = new Deadlines();

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                sets("expire", call -> set(call, call.nowMillis(), SECOND)),
                sets("pexpire", call -> set(call, call.nowMillis(), MILLISECOND)),
                sets("expireat", call -> set(call, 0, SECOND)),
                sets("pexpireat", call -> set(call, 0, MILLISECOND)),
                asks("ttl", call -> ask(call, call.nowMillis(), SECOND)).tips("nondeterministic_output"),
                asks("pttl", call -> ask(call, call.nowMillis(), MILLISECOND)).tips("nondeterministic_output"),
                asks("expiretime", call -> ask(call, 0, SECOND)),
                asks("pexpiretime", call -> ask(call, 0, MILLISECOND)),
                writes("persist", exactly(2), KeySpecs.FIRST, this::persist).with(FAST));
    }

    private static Command sets(String name, Body body) {
        return writes(name, atLeast(3), KeySpecs.FIRST, body).with(FAST);
    }

    private static Command asks(String name, Body body) {
        return reads(name, exactly(2), KeySpecs.FIRST, body).with(FAST);
    }

    private Reply set(Call call, long baseMillis, int unitMillis) {
        Condition condition = condition(call);
        long deadlineMillis = deadline(call, baseMillis, unitMillis);
        return Reply.of(deadlines.set(call.space(), call.key(1), deadlineMillis, condition));
    }

    private static Condition condition(Call call) {
        Condition asked = Condition.NONE;
        for (int i = 3; i < call.size(); i++) {
            asked = new Condition(
                    asked.onlyWithout() || call.is(i, "nx"),
                    asked.onlyWith() || call.is(i, "xx"),
                    asked.onlyLater() || call.is(i, "gt"),
                    asked.onlyEarlier() || call.is(i, "lt"));
            if (!call.is(i, "nx") && !call.is(i, "xx") && !call.is(i, "gt") && !call.is(i, "lt")) {
                throw new RedisError("Unsupported option " + call.quoted(i));
            }
        }
        if (asked.onlyWithout() && (asked.onlyWith() || asked.onlyLater() || asked.onlyEarlier())) {
            throw new RedisError("NX and XX, GT or LT options at the same time are not compatible");
        }
        if (asked.onlyLater() && asked.onlyEarlier()) {
            throw new RedisError("GT and LT options at the same time are not compatible");
        }
        return asked;
    }

    private static long deadline(Call call, long baseMillis, int unitMillis) {
        long amount = call.integer(2);
        if (amount > Long.MAX_VALUE / unitMillis
                || amount < Long.MIN_VALUE / unitMillis
                || amount * unitMillis > Long.MAX_VALUE - baseMillis) {
            throw new RedisError("invalid expire time in '" + call.command().name() + "' command");
        }
        return amount * unitMillis + baseMillis;
    }

    private static Reply ask(Call call, long baseMillis, int unitMillis) {
        Optional<Header> header = call.space().headerNoTouch(call.key(1));
        if (header.isEmpty()) {
            return Reply.of(NO_KEY);
        }
        if (!header.get().hasDeadline()) {
            return Reply.of(NO_DEADLINE);
        }
        long millis = Math.max(0, header.get().expireAt() - baseMillis);
        // Rounds as Redis does, without its addition of 500 ms, which would overflow for the latest possible deadline.
        long rounded = millis / SECOND + (millis % SECOND >= SECOND / 2 ? 1 : 0);
        return Reply.of(unitMillis == MILLISECOND ? millis : rounded);
    }

    private Reply persist(Call call) {
        return Reply.of(deadlines.clear(call.space(), call.key(1)));
    }
}
