package io.polytable.frontend.view;

import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.FeedFollower;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Views of a frontend that are followed together: which of their rows a commit may have changed. The rows themselves are
 * read through the views ({@link View#lookup}). A {@link Follower} does the rest, without knowledge of the frontend.
 *
 * <p>Unreachable rows (of a removed collection, of a flushed database) are still needed to find out what was visible
 * of them: code that deletes such rows asks a {@link FeedFollower} first.
 */
public interface FollowedViews {
    List<View> views();

    /** The tables whose changes touch rows of the views. */
    Set<Table> sources();

    /** Starts a session at the position of the notes; called again after any failure. */
    Session begin(Notes notes);

    /**
     * A sequence of windows. Not thread safe. Any call may throw {@link StoreError#POSITION_EXPIRED}: then a window is
     * too large to follow change by change, and everything must be read again.
     */
    @FunctionalInterface
    interface Session {
        /**
         * Opens a window from the end of the previous one to what the reader shows.
         *
         * @throws TablesChangedException if there are other views now: new ones resume from the end of the previous window
         */
        Window window(Reader end);
    }

    /** One step of a session. */
    interface Window {
        /** Reports all rows that the changes, the next of the window in the feed's order, may have touched. */
        void touchedBy(List<Change> changes, Touched touched);

        /** Reports all rows at the end of the window. */
        void everything(Touched touched);

        /** Ends the window: all its changes were reported. */
        default void end() {}
    }

    /** Receives the keys of touched rows, their values in the order of {@link View#key}. */
    @FunctionalInterface
    interface Touched {
        void row(View view, List<Value> key);
    }

    /**
     * State that is kept from one window to the next, perhaps also in another process. A note is stored only after the
     * follower has processed all rows that were reported before it, so a note may state that something is done.
     */
    interface Notes {
        /** One result for each key, in the order of the keys. */
        List<Optional<Bytes>> read(List<Bytes> keys);

        void put(Bytes key, Bytes note);

        void remove(Bytes key);
    }
}
