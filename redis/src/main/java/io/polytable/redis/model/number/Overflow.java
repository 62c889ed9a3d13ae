package io.polytable.redis.model.number;

import io.polytable.redis.model.RedisError;

/** The errors of sums that overflow. */
public final class Overflow {
    private Overflow() {}

    public static RedisError ofInteger() {
        return new RedisError("increment or decrement would overflow");
    }

    public static RedisError ofFloat() {
        return new RedisError("increment would produce NaN or Infinity");
    }
}
