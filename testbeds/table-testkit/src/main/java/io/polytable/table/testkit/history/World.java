package io.polytable.table.testkit.history;

import io.polytable.table.Direction;
import java.util.List;

/**
 * The target of steps. Results are texts, so that two worlds are compared by comparing texts. Snapshots and cursors are
 * in numbered slots: opening one closes its predecessor in the slot, and an empty slot returns {@link #NONE}.
 */
interface World extends AutoCloseable {
    String DONE = "done";
    String NONE = "none";

    /** The parameters of a scan. */
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

    /** The cursor's next row at or after the key. */
    String seekCursor(int slot, String key);

    /** All rows of all tables as a follower of the change feed has them. */
    String follow();

    /** Drops the table and recreates it. Closes all slots: what they show of a dropped table is unspecified. */
    String recreate(String table);

    /** Closes everything and opens it again. */
    String restart();

    /** An action without a visible effect, such as flushing rows to disk. */
    String settle();

    @Override
    void close();
}
