package io.polytable.redis.command.zset;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.MemberBound;
import io.polytable.redis.model.zset.ScoreBound;
import io.polytable.table.Bytes;

/** Parses the two bounds of a range of elements. */
final class RangeBounds {
    private RangeBounds() {}

    static ElementRange ranks(Call call, int first, int last) {
        return new ElementRange.Ranks(call.integer(first), call.integer(last));
    }

    static ElementRange scores(Call call, int min, int max) {
        return new ElementRange.Scores(score(call.word(min)), score(call.word(max)));
    }

    /** A leading {@code (} makes the bound exclusive. */
    private static ScoreBound score(Bytes word) {
        boolean exclusive = word.length() > 0 && word.at(0) == '(';
        double score = Numbers.parseLeniently(exclusive ? word.from(1) : word)
                .orElseThrow(() -> new RedisError("min or max is not a float"));
        return new ScoreBound(score, exclusive);
    }

    static ElementRange members(Call call, int min, int max) {
        return new ElementRange.Members(member(call.word(min)), member(call.word(max)));
    }

    /**
     * A single {@code -} or {@code +} is below or above all members; any other bound begins with {@code (} or
     * {@code [}.
     */
    private static MemberBound member(Bytes word) {
        byte first = word.length() > 0 ? word.at(0) : 0;
        boolean alone = word.length() == 1 || (word.length() > 1 && word.at(1) == 0);
        if (first == '-' && alone) {
            return MemberBound.LOWEST;
        }
        if (first == '+' && alone) {
            return MemberBound.HIGHEST;
        }
        if (first == '(' || first == '[') {
            return MemberBound.at(word.from(1), first == '(');
        }
        throw new RedisError("min or max not valid string range item");
    }
}
