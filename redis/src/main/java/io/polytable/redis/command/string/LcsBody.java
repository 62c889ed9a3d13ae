package io.polytable.redis.command.string;

import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.string.CommonSubsequence;
import io.polytable.redis.model.string.CommonSubsequence.Match;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** LCS: the longest common subsequence, its length, or the positions of its matches. */
final class LcsBody implements Body {
    private final Strings strings;

    private record Options(boolean length, boolean indexes, boolean matchLengths, long matchLengthMin) {
        static Options of(Call call) {
            boolean length = false;
            boolean indexes = false;
            boolean matchLengths = false;
            long matchLengthMin = 0;
            for (int i = 3; i < call.size(); i++) {
                if (call.is(i, "idx")) {
                    indexes = true;
                } else if (call.is(i, "len")) {
                    length = true;
                } else if (call.is(i, "withmatchlen")) {
                    matchLengths = true;
                } else if (call.is(i, "minmatchlen") && i + 1 < call.size()) {
                    matchLengthMin = Math.max(0, call.integer(++i));
                } else {
                    throw RedisError.SYNTAX;
                }
            }
            if (length && indexes) {
                throw new RedisError("If you want both the length and indexes, please just use IDX.");
            }
            return new Options(length, indexes, matchLengths, matchLengthMin);
        }
    }

    LcsBody(Strings strings) {
        this.strings = strings;
    }

    @Override
    public Reply run(Call call) {
        // As in Redis, both keys are looked up, and reported if missing, before their types are checked.
        Bytes a = value(call, 1);
        Bytes b = value(call, 2);
        if (a == null || b == null) {
            throw new RedisError("The specified keys must contain string values");
        }
        Options options = Options.of(call);
        if (options.length) {
            return Reply.of(CommonSubsequence.length(a, b));
        }
        CommonSubsequence common = CommonSubsequence.of(a, b);
        return options.indexes ? indexes(common, options) : Reply.of(common.text());
    }

    /** Null when the key holds another type. */
    private @Nullable Bytes value(Call call, int index) {
        call.space().countNextLookup();
        try {
            Optional<Bytes> value = strings.get(call.space(), call.word(index));
            return value.orElse(Bytes.EMPTY);
        } catch (RedisError error) {
            if (error.code() != RedisError.Code.WRONGTYPE) {
                throw error;
            }
            return null;
        }
    }

    private static Reply indexes(CommonSubsequence common, Options options) {
        List<Reply> matches = common.matches(options.matchLengthMin).stream()
                .map(match -> reply(match, options.matchLengths))
                .toList();
        return Reply.mapOf(Reply.of("matches"), Reply.many(matches), Reply.of("len"), Reply.of(common.length()));
    }

    private static Reply reply(Match match, boolean withLength) {
        Reply a = Reply.many(Reply.of(match.firstInA()), Reply.of(match.lastInA()));
        Reply b = Reply.many(Reply.of(match.firstInB()), Reply.of(match.lastInB()));
        return withLength ? Reply.many(a, b, Reply.of(match.length())) : Reply.many(a, b);
    }
}
