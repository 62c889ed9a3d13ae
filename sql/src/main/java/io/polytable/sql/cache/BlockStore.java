package io.polytable.sql.cache;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.Optional;

/** Where blocks of columns are kept. */
public interface BlockStore {
    /**
     * A block of rows.
     *
     * @param name by which queries read it
     * @param bytes about what it takes in memory
     */
    record Block(String name, long rows, long bytes) {}

    /**
     * Copies the live rows of a range, all columns that {@code SELECT *} shows, in the order of their keys; empty if a query could
     * tell them from the rows themselves.
     */
    Optional<Block> fill(SqlTable table, KeyRange range, Reader reader);

    /** Removes a block that no query reads any more. */
    void drop(Block block);
}
