package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;

/**
 * What XTRIM and XADD remove from the start of a stream. Approximately means whole nodes only, and at most so many
 * entries.
 */
public sealed interface TrimRule {
    boolean isApproximate();

    /** How many entries are removed at most; zero for no limit. */
    long limit();

    /** Until so many entries are left. */
    record ToLength(long length, boolean isApproximate, long limit) implements TrimRule {}

    /** All before an id. */
    record ToId(StreamId id, boolean isApproximate, long limit) implements TrimRule {}
}
