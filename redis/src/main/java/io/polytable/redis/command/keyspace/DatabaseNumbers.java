package io.polytable.redis.command.keyspace;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import java.util.Optional;

/** Parses database numbers. */
public final class DatabaseNumbers {
    private DatabaseNumbers() {}

    /** Parses the number of an existing database. */
    public static int at(Call call, int index) {
        return existing(call, number(call, index, Optional.empty()));
    }

    /** Parses any number, with this error text if it is none. */
    static int number(Call call, int index, String otherwise) {
        return number(call, index, Optional.of(new RedisError(otherwise)));
    }

    private static int number(Call call, int index, Optional<RedisError> otherwise) {
        long number = call.integer(index, otherwise.orElse(RedisError.NOT_AN_INTEGER));
        if (number != (int) number) {
            throw otherwise.orElseGet(() -> new RedisError(
                    "value is out of range, value must between " + Integer.MIN_VALUE + " and " + Integer.MAX_VALUE));
        }
        return (int) number;
    }

    static int existing(Call call, int number) {
        if (number < 0 || number >= call.selectableDatabases()) {
            throw new RedisError("DB index is out of range");
        }
        return number;
    }
}
