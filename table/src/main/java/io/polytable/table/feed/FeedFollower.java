package io.polytable.table.feed;

/**
 * A consumer of the change feed that still needs rows which are otherwise unreachable. Code that wants to delete such
 * rows takes a mark, and deletes them once the follower has passed it.
 */
public interface FeedFollower {
    /** A follower for stores without a feed consumer. */
    FeedFollower NONE = new FeedFollower() {
        @Override
        public long mark() {
            return 0;
        }

        @Override
        public boolean hasPassed(long mark) {
            return true;
        }
    };

    /** Marks everything committed before the call. A mark is valid for this follower only. */
    long mark();

    /** Whether the follower has processed everything before the mark, also if it must restart. */
    boolean hasPassed(long mark);
}
