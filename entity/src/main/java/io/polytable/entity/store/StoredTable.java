package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Cells of one table. Futures fail with {@code EntityException}. A write is visible to later reads of this process once
 * its future is complete. Thread safe.
 */
public interface StoredTable {
    /**
     * The selected cells of a row; none if the row does not exist. The read is consistent if the store's rows are
     * atomic.
     */
    CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query);

    /** One result for each key, in order, read in parallel. */
    CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query);

    /** Scans the rows that have a selected cell. */
    RowCursor scan(ScanQuery query);

    CompletableFuture<WriteAnswer> write(RowChange change);

    /**
     * Applies changes without conditions and increments, each row separately; the future completes when all are
     * applied.
     */
    CompletableFuture<Void> writeAll(List<RowChange> changes);

    /** Splits the table into about so many parts that can be scanned in parallel. */
    List<Partition> partitions(int wanted);

    /** Flushes the store's memory to its files, if the store supports it. */
    void flush();
}
