package io.polytable.table.view;

import io.polytable.table.Bytes;
import io.polytable.table.Change;
import io.polytable.table.FeedFollower;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a face's rows are shown in tables of another system, kept up to date from the change feed. The face says which
 * shown rows a change may have touched, and what a shown row is in a snapshot; whoever keeps the tables (the
 * <em>keeper</em>) does the rest, knowing nothing of the face.
 *
 * <p>The keeper works in <em>windows</em>. A window begins where the last one ended, and ends at a snapshot taken when it
 * begins. Every shown row that a change of the window touches is written as the snapshot has it, or removed. So when the
 * window is through, the tables are exactly the snapshot; and a window that broke off is simply done again, with any later
 * snapshot. Nobody needs to remember what the tables held.
 *
 * <p>Rows that are out of reach (of a removed collection, of a flushed database) are still needed to know what was shown
 * of them: who deletes such rows asks a {@link FeedFollower} first.
 */
public interface Projection {
    List<ShownTable> tables();

    /** The tables whose changes touch shown rows. */
    Set<Table> sources();

    /** Begins where the notes say; begun anew after any failure. */
    Session begin(Notes notes);

    /**
     * Windows one after the other. One thread at a time. Any call may throw {@link StoreError#POSITION_EXPIRED}: then too
     * much happened in one window to follow it change by change, and the tables are to be made anew.
     */
    interface Session {
        /**
         * From the end of the window before to the snapshot, which stays open until the window is through.
         *
         * @throws TablesChangedException where the snapshot has other tables to show: the next projection goes on from the end
         *     of the window before
         */
        Window window(Snapshot snapshot);
    }

    /** One step of a session. */
    interface Window {
        /** Tells of all rows that the changes, the next of the window in the feed's order, may have touched. */
        void touchedBy(List<Change> changes, Touched touched);

        /** Tells of all rows that the snapshot has: for tables that are made anew, whatever came before. */
        void everything(Touched touched);

        /** The row as the snapshot has it; empty when it has none. The key's values are in the order of the key. */
        Optional<List<Value>> row(ShownTable table, List<Value> key);

        /** All changes up to the snapshot were told. */
        void end();
    }

    /** Who is told of rows. It may ask for them, and bring everything so far into its tables, before it returns. */
    @FunctionalInterface
    interface Touched {
        void row(ShownTable table, List<Value> key);
    }

    /**
     * What a projection must remember from one window to the next, also when another process goes on. A note is kept only
     * after all rows that were told of before it are in their tables; so a note may say that something was seen to.
     */
    interface Notes {
        /** One answer for each key, in the order asked. */
        List<Optional<Bytes>> read(List<Bytes> keys);

        void put(Bytes key, Bytes note);

        void remove(Bytes key);
    }
}
