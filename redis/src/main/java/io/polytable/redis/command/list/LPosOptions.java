package io.polytable.redis.command.list;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.list.Lists;

/**
 * Parses the options of LPOS.
 *
 * @param many whether COUNT was given: the reply is then an array
 */
record LPosOptions(Lists.Search search, boolean many) {
    private static final String RANK_ZERO = "RANK can't be zero: use 1 to start from the first match, 2 from the second"
            + " ... or use negative to start from the end of the list";

    static LPosOptions read(Call call, int from) {
        long rank = 1;
        long count = 1;
        long looked = 0;
        boolean many = false;
        for (int at = from; at < call.size(); at += 2) {
            boolean hasValue = at + 1 < call.size();
            if (hasValue && call.is(at, "rank")) {
                rank = rank(call, at + 1);
            } else if (hasValue && call.is(at, "count")) {
                count = notNegative(call, at + 1, "COUNT can't be negative");
                many = true;
            } else if (hasValue && call.is(at, "maxlen")) {
                looked = notNegative(call, at + 1, "MAXLEN can't be negative");
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return new LPosOptions(new Lists.Search(rank, count, looked), many);
    }

    private static long rank(Call call, int at) {
        long rank = call.integer(at);
        if (rank == Long.MIN_VALUE) {
            throw new RedisError(
                    "value is out of range, value must between -" + Long.MAX_VALUE + " and " + Long.MAX_VALUE);
        }
        if (rank == 0) {
            throw new RedisError(RANK_ZERO);
        }
        return rank;
    }

    private static long notNegative(Call call, int at, String otherwise) {
        RedisError error = new RedisError(otherwise);
        long number = call.integer(at, error);
        if (number < 0) {
            throw error;
        }
        return number;
    }
}
