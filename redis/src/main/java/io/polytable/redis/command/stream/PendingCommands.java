package io.polytable.redis.command.stream;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.Consumer;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Entries that were delivered but not acknowledged: XACK, XPENDING, XCLAIM, XAUTOCLAIM. */
public final class PendingCommands implements CommandFamily {
    private static final String ANY_OUTPUT = "nondeterministic_output";
    private static final int QUERY_WORDS_MIN = 6;
    private static final int QUERY_WORDS_MAX = 9;
    private static final long AUTO_COUNT = 100;
    private static final long AUTO_COUNT_MAX = Long.MAX_VALUE / StreamId.BYTES;

    private final Groups groups;
    private final Claims claims;

    public PendingCommands(Groups groups, Claims claims) {
        this.groups = groups;
        this.claims = claims;
    }

    @Override
    public Group group() {
        return Group.STREAM;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("xack", atLeast(4), FIRST, this::xAck).with(FAST),
                writes("xautoclaim", atLeast(6), FIRST.as(RW, DELETE), this::xAutoClaim)
                        .with(FAST)
                        .tips(ANY_OUTPUT),
                writes("xclaim", atLeast(6), FIRST, this::xClaim).with(FAST).tips(ANY_OUTPUT),
                reads("xpending", atLeast(3), FIRST, this::xPending).tips(ANY_OUTPUT));
    }

    private Reply xAck(Call call) {
        // As in Redis, the ids are not parsed if the group does not exist.
        if (!groups.exists(call.space(), call.key(1), call.word(2))) {
            return Reply.ZERO;
        }
        return Reply.of(groups.acknowledge(call.space(), call.key(1), call.word(2), StreamIds.from(call, 3)));
    }

    private Reply xPending(Call call) {
        if (call.size() == 3) {
            return summary(groups.pending(call.space(), call.key(1), call.word(2)));
        }
        if (call.size() < QUERY_WORDS_MIN || call.size() > QUERY_WORDS_MAX) {
            throw RedisError.SYNTAX;
        }
        Groups.PendingQuery query = query(call);
        List<Reply> found = new ArrayList<>();
        for (Pending pending : groups.pending(call.space(), call.key(1), call.word(2), query)) {
            found.add(Reply.many(
                    StreamReplies.id(pending.id()),
                    Reply.of(pending.consumer()),
                    Reply.of(Math.max(0, call.nowMillis() - pending.deliveredMillis())),
                    Reply.of(pending.deliveries())));
        }
        return Reply.many(found);
    }

    private static Groups.PendingQuery query(Call call) {
        long minIdle = 0;
        int at = 3;
        if (call.is(3, "idle")) {
            minIdle = call.integer(4);
            if (call.size() < QUERY_WORDS_MIN + 2) {
                throw RedisError.SYNTAX;
            }
            at = 5;
        }
        long count = Math.max(0, call.integer(at + 2));
        StreamId from = StreamIds.lower(call, at);
        StreamId to = StreamIds.upper(call, at + 1);
        return new Groups.PendingQuery(
                from, to, count, minIdle, at + 3 < call.size() ? Optional.of(call.word(at + 3)) : Optional.empty());
    }

    private static Reply summary(Groups.Summary summary) {
        if (summary.pending() == 0) {
            return Reply.many(Reply.ZERO, Reply.ABSENT, Reply.ABSENT, Reply.ABSENT_ARRAY);
        }
        List<Reply> owners = new ArrayList<>();
        for (Consumer consumer : summary.consumers()) {
            owners.add(Reply.many(Reply.of(consumer.name()), Reply.of(Numbers.format(consumer.pending()))));
        }
        return Reply.many(
                Reply.of(summary.pending()),
                StreamReplies.id(summary.oldest()),
                StreamReplies.id(summary.newest()),
                Reply.many(owners));
    }

    private Reply xClaim(Call call) {
        claims.check(call.space(), call.key(1), call.word(2));
        XClaimOptions options = XClaimOptions.read(call);
        List<StreamEntry> claimed =
                claims.claim(call.space(), call.key(1), options.claimant(), options.ids(), options.options());
        return StreamReplies.entries(claimed, options.claimant().idsOnly());
    }

    private record AutoClaim(Claims.Claimant claimant, StreamId from, long count) {
        static AutoClaim read(Call call) {
            long minIdle =
                    Math.max(0, call.integer(4, new RedisError("Invalid min-idle-time argument for XAUTOCLAIM")));
            StreamId from = StreamIds.lower(call, 5);
            long count = AUTO_COUNT;
            boolean idsOnly = false;
            for (int i = 6; i < call.size(); i++) {
                if (call.is(i, "count") && i + 1 < call.size()) {
                    count = autoCount(call, ++i);
                } else if (call.is(i, "justid")) {
                    idsOnly = true;
                } else {
                    throw RedisError.SYNTAX;
                }
            }
            return new AutoClaim(
                    new Claims.Claimant(call.word(2), call.word(3), minIdle, OptionalLong.empty(), idsOnly),
                    from,
                    count);
        }
    }

    private Reply xAutoClaim(Call call) {
        AutoClaim asked = readAutoClaim(call);
        Claims.Page page = claims.claimFrom(call.space(), call.key(1), asked.claimant, asked.from, asked.count);
        return Reply.many(
                StreamReplies.id(page.next()),
                StreamReplies.entries(page.claimed(), asked.claimant.idsOnly()),
                StreamReplies.ids(page.deleted()));
    }

    /** As in Redis, which looks the key up first, a missing one is reported even if the arguments are invalid. */
    private static AutoClaim readAutoClaim(Call call) {
        try {
            return AutoClaim.read(call);
        } catch (RedisError invalid) {
            if (call.space().header(call.key(1)).isEmpty()) {
                call.space().missed(call.key(1));
            }
            throw invalid;
        }
    }

    private static long autoCount(Call call, int index) {
        RedisError refused = new RedisError("COUNT must be > 0");
        long count = call.integer(index, refused);
        if (count < 1 || count > AUTO_COUNT_MAX) {
            throw refused;
        }
        return count;
    }
}
