package io.polytable.redis.command.string;

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
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeyFlag.VARIABLE_FLAGS;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.string.Strings.Condition;
import io.polytable.redis.model.string.Strings.SetOutcome;
import io.polytable.redis.model.string.Strings.SetRules;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The string family: each command's shape on one line, each body below, all logic in {@link Strings}. */
public final class StringCommands implements CommandFamily {
    private static final KeySpecs CHANGED = FIRST.as(RW, ACCESS, UPDATE);
    private static final KeySpecs REPLACED = FIRST.as(OW, UPDATE);
    private static final KeySpecs EVERY_OTHER = KeySpecs.range(1, -1, 2);
    private static final KeySpecs SET_KEY = FIRST.as(RW, ACCESS, UPDATE, VARIABLE_FLAGS)
            .note("RW and ACCESS due to the optional `GET` argument")
            .flaggedBy(call -> readsToo(call) ? Set.of(RW, ACCESS, UPDATE) : Set.of(OW, UPDATE));
    private static final KeySpecs GETEX_KEY = CHANGED.note("RW and UPDATE because it changes the TTL");
    private static final String MANY_SHARDS = "request_policy:multi_shard";

    private final Strings strings;

    public StringCommands(Strings strings) {
        this.strings = strings;
    }

    private static boolean readsToo(Call call) {
        for (int i = 3; i < call.size(); i++) {
            if (call.is(i, "get")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Group group() {
        return Group.STRING;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("append", exactly(3), FIRST.as(RW, INSERT), this::append).with(DENYOOM, FAST),
                writes("decr", exactly(2), CHANGED, call -> add(call, -1)).with(DENYOOM, FAST),
                writes("decrby", exactly(3), CHANGED, this::decrBy).with(DENYOOM, FAST),
                reads("get", exactly(2), FIRST, this::get).with(FAST),
                writes("getdel", exactly(2), FIRST.as(RW, ACCESS, DELETE), this::getDel)
                        .with(FAST),
                writes("getex", atLeast(2), GETEX_KEY, this::getEx).with(FAST),
                reads("getrange", exactly(4), FIRST, this::getRange),
                writes("getset", exactly(3), CHANGED, this::getSet).with(DENYOOM, FAST),
                writes("incr", exactly(2), CHANGED, call -> add(call, 1)).with(DENYOOM, FAST),
                writes("incrby", exactly(3), CHANGED, call -> add(call, call.integer(2)))
                        .with(DENYOOM, FAST),
                writes("incrbyfloat", exactly(3), CHANGED, this::incrByFloat).with(DENYOOM, FAST),
                reads("lcs", atLeast(3), KeySpecs.range(1, 2, 1), new LcsBody(strings)),
                reads("mget", atLeast(2), KeySpecs.range(1, -1, 1), this::mGet)
                        .with(FAST)
                        .tips(MANY_SHARDS),
                writes("mset", atLeast(3), EVERY_OTHER.as(OW, UPDATE), this::mSet)
                        .with(DENYOOM)
                        .tips(MANY_SHARDS, "response_policy:all_succeeded"),
                writes("msetnx", atLeast(3), EVERY_OTHER.as(OW, INSERT), this::mSetNx)
                        .with(DENYOOM),
                writes("psetex", exactly(4), REPLACED, call -> setEx(call, SetOptions.Unit.PX))
                        .with(DENYOOM),
                writes("set", atLeast(3), SET_KEY, this::set).with(DENYOOM),
                writes("setex", exactly(4), REPLACED, call -> setEx(call, SetOptions.Unit.EX))
                        .with(DENYOOM),
                writes("setnx", exactly(3), FIRST.as(OW, INSERT), this::setNx).with(DENYOOM, FAST),
                writes("setrange", exactly(4), FIRST.as(RW, UPDATE), this::setRange)
                        .with(DENYOOM),
                reads("strlen", exactly(2), FIRST.as(RO), this::strLen).with(FAST),
                reads("substr", exactly(4), FIRST, this::getRange));
    }

    private Reply get(Call call) {
        return Reply.of(strings.get(call.space(), call.word(1)));
    }

    private Reply set(Call call) {
        if (call.size() == 3) {
            strings.set(call.space(), call.word(1), call.word(2));
            return Reply.OK;
        }
        SetOptions options = SetOptions.ofSet(call);
        SetOutcome outcome = strings.set(call.space(), call.word(1), call.word(2), options.rules(call));
        if (options.tellsOld()) {
            return Reply.of(outcome.old());
        }
        return outcome.written() ? Reply.OK : Reply.ABSENT;
    }

    private Reply setEx(Call call, SetOptions.Unit unit) {
        long expireAt = SetOptions.expireAt(call, 2, unit);
        SetRules rules = new SetRules(Condition.ALWAYS, false, false, expireAt);
        SetOutcome unused = strings.set(call.space(), call.word(1), call.word(3), rules);
        return Reply.OK;
    }

    private Reply setNx(Call call) {
        return Reply.of(strings.setIfAbsent(call.space(), call.word(1), call.word(2)));
    }

    private Reply mGet(Call call) {
        return Reply.optionals(strings.getMany(call.space(), call.wordsFrom(1)));
    }

    private Reply mSet(Call call) {
        strings.setAll(call.space(), pairs(call));
        return Reply.OK;
    }

    private Reply mSetNx(Call call) {
        return Reply.of(strings.setAllIfAbsent(call.space(), pairs(call)));
    }

    private static List<Bytes> pairs(Call call) {
        if (call.size() % 2 == 0) {
            throw RedisError.wrongArity(call.command().fullName());
        }
        return call.wordsFrom(1);
    }

    private Reply getSet(Call call) {
        return Reply.of(strings.getAndSet(call.space(), call.word(1), call.word(2)));
    }

    private Reply getDel(Call call) {
        return Reply.of(strings.getAndRemove(call.space(), call.word(1)));
    }

    private Reply getEx(Call call) {
        SetOptions options = SetOptions.ofGetEx(call);
        Optional<Bytes> value = strings.get(call.space(), call.word(1));
        if (value.isPresent()) {
            switch (options.deadline()) {
                case UNSAID, KEEP -> {}
                case REMOVE -> strings.expire(call.space(), call.word(1), Header.NEVER);
                case GIVEN -> strings.expire(call.space(), call.word(1), options.expireAt(call));
            }
        } else {
            call.space().missed(call.word(1));
        }
        return Reply.of(value);
    }

    private Reply append(Call call) {
        return Reply.of(strings.append(call.space(), call.word(1), call.word(2)));
    }

    private Reply strLen(Call call) {
        return Reply.of(strings.length(call.space(), call.word(1)));
    }

    private Reply getRange(Call call) {
        return Reply.of(strings.range(call.space(), call.word(1), call.integer(2), call.integer(3)));
    }

    private Reply setRange(Call call) {
        long offset = call.integer(2);
        if (offset < 0) {
            throw new RedisError("offset is out of range");
        }
        return Reply.of(strings.overwrite(call.space(), call.word(1), offset, call.word(3)));
    }

    private Reply add(Call call, long delta) {
        return Reply.of(strings.add(call.space(), call.word(1), delta));
    }

    private Reply decrBy(Call call) {
        long delta = call.integer(2);
        if (delta == Long.MIN_VALUE) {
            throw new RedisError("decrement would overflow");
        }
        return add(call, -delta);
    }

    private Reply incrByFloat(Call call) {
        return Reply.of(strings.addFloat(call.space(), call.word(1), call.word(2)));
    }
}
