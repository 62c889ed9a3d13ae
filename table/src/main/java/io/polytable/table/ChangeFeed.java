package io.polytable.table;

import java.time.Duration;
import java.util.List;

/**
 * Durable changes in commit order, without a gap. The changes of one commit come together and end with
 * {@link Change#last()}; commits that touch none of the asked tables are not shown.
 */
public interface ChangeFeed extends AutoCloseable {
    /**
     * The next changes, waiting at most so long for the first; empty when none came.
     *
     * @param most how many changes the caller wants at a time. Commits are never split, since no position lies inside
     *     one: when the next commit alone has more, all of it is answered.
     * @throws StoreException {@link StoreError#POSITION_EXPIRED} when the log no longer holds the next change
     */
    List<Change> poll(int most, Duration wait);

    /** After the last change answered: where to go on. */
    Position position();

    @Override
    void close();
}
