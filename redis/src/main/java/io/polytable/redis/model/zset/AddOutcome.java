package io.polytable.redis.model.zset;

import java.util.OptionalDouble;

/**
 * What ZADD did.
 *
 * @param score of the last member that it did not refuse to touch
 */
public record AddOutcome(long added, long updated, OptionalDouble score) {
    static final AddOutcome NOTHING = new AddOutcome(0, 0, OptionalDouble.empty());
}
