package io.polytable.redis.model;

/** What Redis says when a sum leaves its type. */
final class Overflow {
    private Overflow() {}

    static RedisError ofInteger() {
        return new RedisError("increment or decrement would overflow");
    }

    static RedisError ofFloat() {
        return new RedisError("increment would produce NaN or Infinity");
    }
}
