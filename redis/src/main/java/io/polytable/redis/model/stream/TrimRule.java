package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;

/**
 * What XTRIM and XADD remove from the start of a stream. Approximate means whole nodes only, and at most {@code limit}
 * entries.
 */
public sealed interface TrimRule {
    boolean isApproximate();

    /** The number of entries to remove at most; zero for no limit. */
    long limit();

    /** Keeps so many entries. */
    record ToLength(long length, boolean isApproximate, long limit) implements TrimRule {}

    /** Removes all before an id. */
    record ToId(StreamId id, boolean isApproximate, long limit) implements TrimRule {}
}
