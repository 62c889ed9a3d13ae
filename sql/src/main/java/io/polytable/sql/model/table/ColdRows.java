package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.write.Batch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The flushed rows of one table, as a reader sees them. A row of the store hides the flushed row of the same key, so a
 * row may be in both places: readers look in the store first, and in the segments for what they did not find. Rows of
 * the store are not included here.
 */
public interface ColdRows {
    /** For tables that are never flushed. */
    ColdRows NONE = new NoColdRows();

    /** Whether anything was ever flushed; if not, reads need not look here. */
    boolean isUsed();

    /** The newest flushed row of the key, tombstones included. */
    Optional<StoredRow> find(Reader reader, SqlTable table, Bytes key);

    /**
     * The newest flushed row of each key within the ranges, tombstones included, in key order.
     *
     * @param user whose rows; those of all users if empty
     */
    StoredRows scan(Reader reader, SqlTable table, Optional<String> user, List<KeyRange> ranges, Direction direction);

    /** Equal for two readers if and only if they see the same segments where the row of the key could be. */
    Object version(Reader reader, SqlTable table, Bytes key);

    /** Equal for two readers only if they see the same segments. */
    Object version(Reader reader);

    /** The files that a query reads directly. */
    FileScan files(Reader reader, SqlTable table, Relation.Request request);

    /** Counts rows about to be written, as a hint for when to flush. */
    void wrote(long rows);

    /**
     * Called before a commit; the caller runs the result after it, successful or not. A flush that deletes the rows it
     * moved waits for commits in progress, and learns which keys they change.
     *
     * @param keys the keys of the table that the commit writes
     */
    Runnable committing(Supplier<List<Bytes>> keys);

    /**
     * Runs the action while no job changes the table's files, and keeps such jobs waiting until it ends. Returns false,
     * without running it, if a job is changing them.
     */
    boolean unlessChanging(Runnable action);

    /** Adds to the batch the changes that make all flushed rows of the table invisible. */
    void truncate(Batch batch);
}
