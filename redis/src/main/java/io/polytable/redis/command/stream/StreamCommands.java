package io.polytable.redis.command.stream;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Direction;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Streams by their entries: adding, deleting, trimming, ranges. */
public final class StreamCommands implements CommandFamily {
    private static final String ANY_OUTPUT = "nondeterministic_output";

    private final Streams streams;
    private final Supplier<NodeLimits> limits;

    public StreamCommands(Streams streams, Supplier<NodeLimits> limits) {
        this.streams = streams;
        this.limits = limits;
    }

    @Override
    public Group group() {
        return Group.STREAM;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes(
                                "xadd",
                                atLeast(5),
                                FIRST.as(RW, UPDATE)
                                        .note("UPDATE instead of INSERT because of the optional trimming feature"),
                                this::xAdd)
                        .with(DENYOOM, FAST)
                        .tips(ANY_OUTPUT),
                writes("xdel", atLeast(3), FIRST.as(RW, DELETE), this::xDel).with(FAST),
                reads("xlen", exactly(2), FIRST.as(RO), this::xLen).with(FAST),
                reads("xrange", atLeast(4), FIRST, call -> xRange(call, Direction.FORWARD)),
                reads("xrevrange", atLeast(4), FIRST, call -> xRange(call, Direction.REVERSE)),
                writes("xsetid", atLeast(3), FIRST, this::xSetId).with(DENYOOM, FAST),
                writes("xtrim", atLeast(4), FIRST.as(RW, DELETE), this::xTrim).tips(ANY_OUTPUT));
    }

    private Reply xAdd(Call call) {
        XAddOptions options = XAddOptions.ofAdd(call, limits.get());
        int fieldWords = call.size() - options.fieldsAt();
        if (fieldWords < 2 || fieldWords % 2 == 1) {
            throw RedisError.wrongArity("xadd");
        }
        options.checkId();
        Optional<StreamId> added = streams.add(
                call.space(),
                call.key(1),
                options.id(),
                call.wordsFrom(options.fieldsAt()),
                options.makeStream(),
                options.rule().orElse(null));
        return added.map(StreamReplies::id).orElse(Reply.ABSENT);
    }

    private Reply xTrim(Call call) {
        XAddOptions options = XAddOptions.ofTrim(call, limits.get());
        return Reply.of(streams.trim(call.space(), call.key(1), options.rule().orElseThrow()));
    }

    private Reply xDel(Call call) {
        // As in Redis, the ids are not parsed if the stream does not exist.
        if (!streams.exists(call.space(), call.key(1))) {
            return Reply.ZERO;
        }
        return Reply.of(streams.delete(call.space(), call.key(1), StreamIds.from(call, 2)));
    }

    private Reply xLen(Call call) {
        return Reply.of(streams.size(call.space(), call.key(1)));
    }

    private Reply xRange(Call call, Direction direction) {
        boolean reverse = direction == Direction.REVERSE;
        StreamId from = StreamIds.lower(call, reverse ? 3 : 2);
        StreamId to = StreamIds.upper(call, reverse ? 2 : 3);
        long count = -1;
        for (int i = 4; i < call.size(); i += 2) {
            if (!call.is(i, "count") || i + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            count = Math.max(0, call.integer(i + 1));
        }
        if (count == 0) {
            return streams.exists(call.space(), call.key(1)) ? Reply.ABSENT_ARRAY : Reply.EMPTY;
        }
        long limit = count < 0 ? Long.MAX_VALUE : count;
        return StreamReplies.entries(streams.range(call.space(), call.key(1), from, to, direction, limit));
    }

    private Reply xSetId(Call call) {
        StreamId id = StreamIds.one(call, 2);
        Optional<Long> added = Optional.empty();
        StreamId maxDeleted = StreamId.MIN;
        for (int i = 3; i < call.size(); i += 2) {
            boolean hasMore = i + 1 < call.size();
            if (call.is(i, "entriesadded") && hasMore) {
                added = Optional.of(call.integer(i + 1));
                if (added.get() < 0) {
                    throw new RedisError("entries_added must be positive");
                }
            } else if (call.is(i, "maxdeletedid") && hasMore) {
                maxDeleted = StreamIds.one(call, i + 1);
                if (id.isBefore(maxDeleted)) {
                    throw new RedisError(
                            "The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
                }
            } else {
                throw RedisError.SYNTAX;
            }
        }
        streams.setLast(call.space(), call.key(1), id, added, maxDeleted);
        return Reply.OK;
    }
}
