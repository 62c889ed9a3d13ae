package io.polytable.redis.model.zset;

import java.util.OptionalDouble;

/**
 * The result of ZADD.
 *
 * @param score of the last member that the rules allowed it to change
 */
public record AddOutcome(long added, long updated, OptionalDouble score) {
    static final AddOutcome NOTHING = new AddOutcome(0, 0, OptionalDouble.empty());
}
