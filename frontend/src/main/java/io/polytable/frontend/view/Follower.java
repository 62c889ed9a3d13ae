package io.polytable.frontend.view;

import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Follows views: which visible rows the commits after a position changed, and what they contain now.
 *
 * <p>It works in <em>windows</em>. A window starts at the end of the previous one and ends at a snapshot. Each row that
 * a commit of the window touches is reported as in the snapshot, so after the window a copy of the views equals the
 * snapshot. What a window reports depends on its snapshot alone: an interrupted window is repeated with any later one,
 * without knowledge of the copy's content.
 *
 * <p>Memory is bounded: touched rows are reported in batches, and a row that several batches touch several times, each time
 * with the same content. With a reader
 * of the rows before the window ({@link VisibleChange.Reporter}) the reports are inserts, updates and deletes.
 */
public final class Follower implements AutoCloseable {
    private final FollowedViews.Session session;
    private final FollowedViews views;
    private final int batchRows;
    private final List<PartitionFeed> feeds = new ArrayList<>();

    /** Receives the rows of batches. */
    public interface Receiver {
        /** Begins a batch. */
        default void begin() {}

        /**
         * Receives a row of the batch.
         *
         * @param row as of the window's end, empty if it is not visible there
         */
        void row(View view, List<Value> key, Optional<List<Value>> row);

        /** Ends a batch: notes about its rows may be stored now. */
        default void end() {}
    }

    /** @param batchRows the number of touched rows after which a batch ends */
    private Follower(FollowedViews views, FollowedViews.Notes notes, int batchRows) {
        this.views = views;
        this.batchRows = batchRows;
        session = views.begin(notes);
    }

    /** Follows the commits after the position, which is the one that the notes are of. */
    public static Follower after(
            TableStore store, Position from, FollowedViews views, FollowedViews.Notes notes, int batchRows) {
        Follower follower = new Follower(views, notes, batchRows);
        Map<Integer, Set<Table>> sources = views.sources().stream()
                .collect(Collectors.groupingBy(
                        table -> store.partition(table.name()), TreeMap::new, Collectors.toSet()));
        try {
            // In order: a frontend keeps what concerns all its tables in the first partition, and so sees that first.
            sources.forEach((partition, tables) ->
                    follower.feeds.add(new PartitionFeed(partition, store.changes(tables, from))));
            return follower;
        } catch (RuntimeException e) {
            follower.close();
            throw e;
        }
    }

    /** Reads all rows once. */
    public static Follower ofEverything(FollowedViews views, FollowedViews.Notes notes, int batchRows) {
        return new Follower(views, notes, batchRows);
    }

    /**
     * Opens the next window. The snapshot stays open until the window is closed, and must be durable before anything that
     * is reported leaves the process.
     */
    public Window window(Snapshot end, Receiver receiver) {
        return new Window(end, receiver);
    }

    /** One step of a follower. */
    public final class Window implements FollowedViews.Touched, AutoCloseable {
        private final Snapshot end;
        private final Receiver receiver;
        private final FollowedViews.Window window;
        private final Map<TableName, Rows> rows = new LinkedHashMap<>();
        private int touched;

        private record Rows(View view, RowLookup lookup, Set<List<Value>> keys) {}

        private Window(Snapshot end, Receiver receiver) {
            this.end = end;
            this.receiver = receiver;
            window = session.window(end);
            for (View view : views.views()) {
                rows.put(view.name(), new Rows(view, view.lookup(end), new LinkedHashSet<>()));
            }
        }

        /** Reports the rows that the commits of the window touch. */
        public void follow() {
            for (PartitionFeed feed : feeds) {
                List<Change> chunk = feed.chunk(end.position());
                while (!chunk.isEmpty()) {
                    window.touchedBy(chunk, this);
                    flush();
                    chunk = feed.chunk(end.position());
                }
            }
        }

        /** Reports all rows of the snapshot. */
        public void everything() {
            window.everything(this);
            flush();
        }

        /** Adds a row to the batch. */
        @Override
        public void row(View view, List<Value> key) {
            if (rowsOf(view).keys().add(key) && ++touched >= batchRows) {
                flush();
            }
        }

        /** The row as of the window's end. */
        public Optional<List<Value>> shown(View view, List<Value> key) {
            return rowsOf(view).lookup().row(key);
        }

        private Rows rowsOf(View view) {
            Rows of = rows.get(view.name());
            if (of == null) {
                throw new IllegalStateException("not a view that is followed: " + view.name());
            }
            return of;
        }

        /** Reports the rows of the batch. */
        public void flush() {
            receiver.begin();
            for (Rows of : rows.values()) {
                of.keys()
                        .forEach(key -> receiver.row(of.view(), key, of.lookup().row(key)));
                of.keys().clear();
            }
            touched = 0;
            receiver.end();
        }

        /** Ends the window; the next one begins here. */
        public void end() {
            window.end();
            flush();
        }

        @Override
        public void close() {
            rows.values().forEach(of -> of.lookup().close());
        }
    }

    @Override
    public void close() {
        feeds.forEach(PartitionFeed::close);
    }
}
