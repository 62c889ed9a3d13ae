package io.polytable.redis.command.hash;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.keyspace.ScanOptions;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.number.LongDouble;
import io.polytable.redis.model.row.Page;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** The hash family: each command's shape on one line, each body below, all logic in {@link Hashes}. */
public final class HashCommands implements CommandFamily {
    private static final KeySpecs CHANGED = FIRST.as(RW, ACCESS, UPDATE);
    private static final KeySpecs UPDATED = FIRST.as(RW, UPDATE);
    private static final String ANY_OUTPUT = "nondeterministic_output";
    private static final String ANY_ORDER = "nondeterministic_output_order";

    private final Hashes hashes;
    private final RandomFields randomFields;

    public HashCommands(Hashes hashes, RandomFields randomFields) {
        this.hashes = hashes;
        this.randomFields = randomFields;
    }

    @Override
    public Group group() {
        return Group.HASH;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("hdel", atLeast(3), FIRST.as(RW, DELETE), this::hDel).with(FAST),
                reads("hexists", exactly(3), FIRST.as(RO), this::hExists).with(FAST),
                reads("hget", exactly(3), FIRST, this::hGet).with(FAST),
                reads("hgetall", exactly(2), FIRST, this::hGetAll).tips(ANY_ORDER),
                writes("hincrby", exactly(4), CHANGED, this::hIncrBy).with(DENYOOM, FAST),
                writes("hincrbyfloat", exactly(4), CHANGED, this::hIncrByFloat).with(DENYOOM, FAST),
                reads("hkeys", exactly(2), FIRST, this::hKeys).tips(ANY_ORDER),
                reads("hlen", exactly(2), FIRST.as(RO), this::hLen).with(FAST),
                reads("hmget", atLeast(3), FIRST, this::hMGet).with(FAST),
                writes("hmset", atLeast(4), UPDATED, this::hMSet).with(DENYOOM, FAST),
                reads("hrandfield", atLeast(2), FIRST, this::hRandField).tips(ANY_OUTPUT),
                reads("hscan", atLeast(3), FIRST, this::hScan).tips(ANY_OUTPUT),
                writes("hset", atLeast(4), UPDATED, this::hSet).with(DENYOOM, FAST),
                writes("hsetnx", exactly(4), FIRST.as(RW, INSERT), this::hSetNx).with(DENYOOM, FAST),
                reads("hstrlen", exactly(3), FIRST.as(RO), this::hStrLen).with(FAST),
                reads("hvals", exactly(2), FIRST, this::hVals).tips(ANY_ORDER));
    }

    private Reply hGet(Call call) {
        return Reply.of(hashes.get(call.space(), call.word(1), call.word(2)));
    }

    private Reply hMGet(Call call) {
        return Reply.optionals(hashes.getMany(call.space(), call.word(1), call.wordsFrom(2)));
    }

    private Reply hExists(Call call) {
        return Reply.of(hashes.get(call.space(), call.word(1), call.word(2)).isPresent());
    }

    private Reply hStrLen(Call call) {
        return Reply.of(hashes.get(call.space(), call.word(1), call.word(2))
                .map(Bytes::length)
                .orElse(0));
    }

    private Reply hLen(Call call) {
        return Reply.of(hashes.size(call.space(), call.word(1)));
    }

    private Reply hSet(Call call) {
        return Reply.of(hashes.put(call.space(), call.word(1), pairs(call)));
    }

    private Reply hMSet(Call call) {
        long unusedNew = hashes.put(call.space(), call.word(1), pairs(call));
        return Reply.OK;
    }

    private static List<Bytes> pairs(Call call) {
        if (call.size() % 2 == 1) {
            throw RedisError.wrongArity(call.command().fullName());
        }
        return call.wordsFrom(2);
    }

    private Reply hSetNx(Call call) {
        return Reply.of(hashes.putIfAbsent(call.space(), call.word(1), call.word(2), call.word(3)));
    }

    private Reply hDel(Call call) {
        return Reply.of(hashes.remove(call.space(), call.word(1), call.wordsFrom(2)));
    }

    private Reply hIncrBy(Call call) {
        return Reply.of(hashes.add(call.space(), call.word(1), call.word(2), call.integer(3)));
    }

    private Reply hIncrByFloat(Call call) {
        LongDouble delta = LongDouble.parse(call.word(3)).orElseThrow(() -> RedisError.NOT_A_FLOAT);
        if (!delta.isFinite()) {
            throw new RedisError("value is NaN or Infinity");
        }
        return Reply.of(hashes.addFloat(call.space(), call.word(1), call.word(2), delta));
    }

    private Reply hGetAll(Call call) {
        List<Reply> items = new ArrayList<>();
        hashes.forEach(call.space(), call.word(1), (field, value) -> {
            items.add(Reply.of(field));
            items.add(Reply.of(value));
        });
        return Reply.mapOf(items);
    }

    private Reply hKeys(Call call) {
        List<Reply> items = new ArrayList<>();
        hashes.forEach(call.space(), call.word(1), (field, value) -> items.add(Reply.of(field)));
        return Reply.many(items);
    }

    private Reply hVals(Call call) {
        List<Reply> items = new ArrayList<>();
        hashes.forEach(call.space(), call.word(1), (field, value) -> items.add(Reply.of(value)));
        return Reply.many(items);
    }

    private Reply hScan(Call call) {
        long cursor = ScanOptions.cursor(call, 2);
        if (hashes.size(call.space(), call.word(1)) == 0) {
            return Reply.many(Reply.of("0"), Reply.EMPTY);
        }
        ScanOptions options = ScanOptions.ofElements(call, 3);
        Page page = hashes.scan(call.space(), call.word(1), cursor, options.count());
        List<RingRow> rows = page.rows().stream()
                .filter(row -> options.match().matches(row.sub()))
                .toList();
        return Reply.many(Reply.of(Long.toUnsignedString(page.cursor())), Reply.bulks(flat(rows)));
    }

    private Reply hRandField(Call call) {
        if (call.size() == 2) {
            return Reply.of(randomFields.one(call.space(), call.word(1)).map(RingRow::sub));
        }
        long count = call.integer(2);
        if (count == Long.MIN_VALUE) {
            throw new RedisError(
                    "value is out of range, value must between -" + Long.MAX_VALUE + " and " + Long.MAX_VALUE);
        }
        boolean withValues = call.size() > 3;
        if (call.size() > 4 || (withValues && !call.is(3, "withvalues"))) {
            throw RedisError.SYNTAX;
        }
        if (withValues && Math.abs(count) > Long.MAX_VALUE / 2) {
            throw RedisError.VALUE_OUT_OF_RANGE;
        }
        List<RingRow> rows = count >= 0
                ? randomFields.distinct(call.space(), call.word(1), count)
                : randomFields.repeating(call.space(), call.word(1), -count);
        return withValues
                ? pairs(call, rows)
                : Reply.bulks(rows.stream().map(RingRow::sub).toList());
    }

    /** One flat list in RESP2, a list for each pair in RESP3. */
    private static Reply pairs(Call call, List<RingRow> rows) {
        if (call.session().protocol() < 3) {
            return Reply.bulks(flat(rows));
        }
        return Reply.many(rows.stream()
                .map(row -> Reply.bulks(List.of(row.sub(), row.value())))
                .toList());
    }

    /** Fields and values alternating. */
    private static List<Bytes> flat(List<RingRow> rows) {
        List<Bytes> flat = new ArrayList<>(rows.size() * 2);
        for (RingRow row : rows) {
            flat.add(row.sub());
            flat.add(row.value());
        }
        return flat;
    }
}
