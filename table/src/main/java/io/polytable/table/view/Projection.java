package io.polytable.table.view;

import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.FeedFollower;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The projection of a frontend's rows into tables of another system, maintained from the change feed. The frontend says which
 * projected rows a change may have touched, and what a projected row contains in a snapshot. The maintainer of the
 * tables (the <em>keeper</em>) does the rest, without knowledge of the frontend.
 *
 * <p>The keeper works in <em>windows</em>. A window starts at the end of the previous one and ends at a snapshot taken
 * when it starts. Every projected row that a change of the window touches is written as in the snapshot, or removed. So
 * after the window the tables equal the snapshot. An interrupted window is repeated with any later snapshot, without
 * knowledge of the tables' content.
 *
 * <p>Unreachable rows (of a removed collection, of a flushed database) are still needed to find out what was projected
 * of them: code that deletes such rows asks a {@link FeedFollower} first.
 */
public interface Projection {
    List<ShownTable> tables();

    /** The tables whose changes touch projected rows. */
    Set<Table> sources();

    /** Starts a session at the position in the notes; called again after any failure. */
    Session begin(Notes notes);

    /**
     * A sequence of windows. Not thread safe. Any call may throw {@link StoreError#POSITION_EXPIRED}: then a window is
     * too large to follow change by change, and the tables must be rewritten.
     */
    interface Session {
        /**
         * Opens a window from the end of the previous one to the snapshot, which stays open until the window is
         * complete.
         *
         * @throws TablesChangedException if the snapshot has other tables to project: the next projection resumes from
         *     the end of the previous window
         */
        Window window(Snapshot snapshot);
    }

    /** One step of a session. */
    interface Window {
        /** Reports all rows that the changes, the next of the window in the feed's order, may have touched. */
        void touchedBy(List<Change> changes, Touched touched);

        /** Reports all rows of the snapshot: for tables that are rewritten. */
        void everything(Touched touched);

        /** The row as of the snapshot; empty if it has none. The key's values are in key order. */
        Optional<List<Value>> row(ShownTable table, List<Value> key);

        /** Ends the window: all changes up to the snapshot were reported. */
        void end();
    }

    /** Receives touched rows. Before it returns it may read them and write everything so far to its tables. */
    @FunctionalInterface
    interface Touched {
        void row(ShownTable table, List<Value> key);
    }

    /**
     * State that a projection keeps from one window to the next, also in another process. A note is stored only after
     * all rows that were reported before it are in their tables, so a note may state that something is done.
     */
    interface Notes {
        /** One result for each key, in the order of the keys. */
        List<Optional<Bytes>> read(List<Bytes> keys);

        void put(Bytes key, Bytes note);

        void remove(Bytes key);
    }
}
