package io.polytable.redis.command.blocking;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of LMPOP, ZMPOP and their blocking forms: the number of keys, the keys, the end to pop from, and COUNT.
 *
 * @param from forward for the first elements: the lowest scores, the head of a list
 */
public record PopOptions(List<Bytes> keys, Direction from, long count) {
    /** Parses from the number of keys on, with these names for the two ends. */
    public static PopOptions read(Call call, int countAt, String first, String last) {
        long keyCount = atLeastOne(call, countAt, "numkeys should be greater than 0");
        if (keyCount >= call.size() - countAt - 1) {
            throw RedisError.SYNTAX;
        }
        int end = countAt + 1 + (int) keyCount;
        List<Bytes> keys = new ArrayList<>();
        for (int i = countAt + 1; i < end; i++) {
            keys.add(call.key(i));
        }
        return new PopOptions(keys, end(call, end, first, last), count(call, end + 1));
    }

    private static Direction end(Call call, int at, String first, String last) {
        if (call.is(at, first)) {
            return Direction.FORWARD;
        }
        if (call.is(at, last)) {
            return Direction.REVERSE;
        }
        throw RedisError.SYNTAX;
    }

    private static long count(Call call, int at) {
        if (at == call.size()) {
            return 1;
        }
        if (!call.is(at, "count") || at + 1 == call.size()) {
            throw RedisError.SYNTAX;
        }
        long count = atLeastOne(call, at + 1, "count should be greater than 0");
        if (at + 2 < call.size()) {
            throw RedisError.SYNTAX;
        }
        return count;
    }

    private static long atLeastOne(Call call, int at, String otherwise) {
        RedisError error = new RedisError(otherwise);
        long number = call.integer(at, error);
        if (number < 1) {
            throw error;
        }
        return number;
    }
}
