package io.polytable.table.feed;

import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.List;

/**
 * Durable changes in commit order, without gaps. The changes of one commit are consecutive and end with {@link
 * Change#last()}. Commits that touch none of the followed tables are skipped. Replaying a feed over the snapshot it
 * started from yields the current rows. Not thread safe.
 */
public interface ChangeFeed extends AutoCloseable {
    /**
     * Returns the next changes; waits up to the given time for the first. Empty after a timeout.
     *
     * @param most the maximum number of changes; a larger commit continues with the next poll. A store returns fewer when
     *     values are large: about a megabyte, or one change
     * @throws StoreException {@link StoreError#POSITION_EXPIRED} when the log no longer holds the next change
     */
    List<Change> poll(int most, Duration wait);

    /**
     * Runs the action once, as soon as a poll may return changes or throw: at once if it may now, otherwise later on
     * any thread. The action must be quick. A later call replaces an action that has not run yet. This lets thousands
     * of feeds wait without a thread each.
     */
    void whenReady(Runnable action);

    /**
     * The position to resume from: after the last commit whose changes were all returned. In the middle of a commit it
     * is before that commit, so a resumed feed returns the commit again from its start.
     */
    Position position();

    @Override
    void close();
}
