package io.polytable.sql.cache;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.Optional;

/** Storage of column blocks. */
public interface BlockStore {
    /**
     * A block of rows.
     *
     * @param name the name under which queries read it
     * @param bytes its approximate size in memory
     */
    record Block(String name, long rows, long bytes) {}

    /**
     * Copies the live rows of a range in key order, with all columns that {@code SELECT *} shows. Returns empty if a
     * query could distinguish the copy from the rows.
     */
    Optional<Block> fill(SqlTable table, KeyRange range, Reader reader);

    /** Drops a block that no query reads any more. */
    void drop(Block block);
}
