package io.polytable.table;

/**
 * Somebody behind the change feed who still needs rows that nobody else can reach. Who wants to delete such rows takes a
 * mark, and deletes them when the follower has passed it.
 */
public interface FeedFollower {
    /** For when nobody follows. */
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

    /** Stands for everything committed before the call. Marks mean nothing to another follower. */
    long mark();

    /** Whether all that the mark stands for is behind the follower, also if it should have to start again. */
    boolean hasPassed(long mark);
}
