package io.polytable.table;

import java.time.Duration;
import java.util.List;

/**
 * Durable changes in commit order, without a gap. The changes of one commit follow one another and end with
 * {@link Change#last()}; commits that touch none of the asked tables are not shown. Replaying a feed over the snapshot it
 * started from gives the rows as they are. One thread at a time.
 */
public interface ChangeFeed extends AutoCloseable {
    /**
     * The next changes, waiting at most so long for the first; empty when none came.
     *
     * @param most at most so many changes; a commit that has more goes on with the next poll
     * @throws StoreException {@link StoreError#POSITION_EXPIRED} when the log no longer holds the next change
     */
    List<Change> poll(int most, Duration wait);

    /**
     * Runs the action once, as soon as a poll may have something to answer, or to throw: at once if that is so now, and
     * otherwise on any thread. It must be quick. A later call replaces an action that has not run yet. So thousands can
     * follow without a thread each.
     */
    void whenReady(Runnable action);

    /**
     * Where to go on: after the last commit whose changes were all answered. In the middle of a commit that is before it,
     * so a feed that goes on from there shows that commit again, whole.
     */
    Position position();

    @Override
    void close();
}
