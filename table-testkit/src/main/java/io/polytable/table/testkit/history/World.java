package io.polytable.table.testkit.history;

import io.polytable.table.Direction;
import java.util.List;

/**
 * What steps are done on. Answers are texts, so that two worlds are compared by comparing texts. Snapshots and cursors are
 * kept in numbered slots; opening one in a slot closes the one before it, asking an empty slot answers {@link #NONE}.
 */
interface World extends AutoCloseable {
    String DONE = "done";
    String NONE = "none";

    /** What a scan asks for. */
    record Scan(String table, Span span, Direction direction, long limit) {
        @Override
        public String toString() {
            String most = limit == Long.MAX_VALUE ? "all" : Long.toString(limit);
            return "%s, %s, %s, %s".formatted(table, span, direction, most);
        }
    }

    String commit(List<Write> writes);

    String read(String table, List<String> keys);

    String scan(Scan scan);

    String takeSnapshot(int slot);

    String scanSnapshot(int slot, Scan scan);

    String openCursor(int slot, Scan scan);

    /** The next rows of the cursor. */
    String advanceCursor(int slot, int rows);

    /** The cursor's next row at the key or beyond it. */
    String seekCursor(int slot, String key);

    /** All rows of all tables as a follower of the change feed has them. */
    String follow();

    /** Drops the table and creates it again. Closes all slots: what they show of a dropped table is nobody's promise. */
    String recreate(String table);

    /** Closes everything and opens it again. */
    String restart();

    /** Something that must not be noticed, like moving rows to disk. */
    String settle();

    @Override
    void close();
}
