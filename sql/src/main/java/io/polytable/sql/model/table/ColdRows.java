package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rows of one table that were flushed to files, as of a reader's moment. A row that the store holds hides the flushed one
 * of the same key, so a row may be in both places: a reader asks the store first, and the files for what it did not find.
 * Nothing here tells of the store's own rows.
 */
public interface ColdRows {
    /** Of tables that are never flushed. */
    ColdRows NONE = new NoColdRows();

    /** Whether anything was ever flushed; while nothing was, reads need not look further. */
    boolean isUsed();

    /** The newest flushed row of the key, tombstones included. */
    Optional<StoredRow> find(Reader reader, SqlTable table, Bytes key);

    /**
     * The newest flushed row of each key within the ranges, tombstones included, in the order of keys.
     *
     * @param user whose rows; of all users where it is empty
     */
    StoredRows scan(Reader reader, SqlTable table, Optional<String> user, List<KeyRange> ranges, Direction direction);

    /** Equal for two readers exactly when they see the same files where the key's row could be. */
    Object version(Reader reader, SqlTable table, Bytes key);

    /** The files that a query reads itself. */
    FileScan files(Reader reader, SqlTable table, Relation.Request request);

    /** Told of rows that are about to be written, as a hint for when to flush. */
    void wrote(long rows);

    /**
     * Called before rows are committed, and what it answers afterwards, whether that succeeded or not: a flush that deletes
     * what it moved waits for commits that are under way, and learns of the rows that they change.
     *
     * @param keys of the table that are written
     */
    Runnable committing(Supplier<List<Bytes>> keys);

    /** Whether rows are on their way into files: tombstones must not go meanwhile. */
    boolean isFlushing();

    /** Adds to the batch what makes all flushed rows of the table invisible. */
    void truncate(Batch batch);
}
