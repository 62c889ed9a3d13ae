package io.polytable.sql.cache;

import io.polytable.sql.model.SqlTable;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;

/** Where blocks of columns are kept. */
public interface BlockStore {
    /**
     * A block of rows.
     *
     * @param name by which queries read it
     * @param sawInfinity whether a value is infinite, or a text that a cast makes so
     */
    record Block(String name, long rows, boolean sawInfinity) {}

    /** Copies the live rows of a range, all columns that {@code SELECT *} shows, in the order of their keys. */
    Block fill(SqlTable table, KeyRange range, Reader reader);

    /** Removes a block that no query reads any more. */
    void drop(Block block);
}
