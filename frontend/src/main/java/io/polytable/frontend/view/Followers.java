package io.polytable.frontend.view;

import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import java.util.function.Supplier;

/** Those who maintain tables in another system that show the rows of frontends. */
public interface Followers extends FeedFollower {
    /** Follows the views of the frontend that calls {@link #hasPassed}. */
    void start(TableStore store, FollowedViews views);

    /**
     * Follows the views of another frontend, whose tables are created and dropped at runtime.
     *
     * @param views supplies the views of the current tables; called again whenever they have changed
     */
    void start(TableStore store, String frontend, Supplier<FollowedViews> views);
}
