package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Cells of one table. Futures fail with {@code EntityException}; a write is visible to the next read of this process when
 * its future is complete. Safe for use by many threads.
 */
public interface StoredTable {
    /** The wanted cells of a row; none when there is no such row. The row is read as of one moment where rows are atomic. */
    CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query);

    /** One answer for each key, in the order asked, read side by side. */
    CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query);

    /** Rows that have a wanted cell. */
    RowCursor scan(ScanQuery query);

    CompletableFuture<WriteAnswer> write(RowChange change);

    /** Changes of any rows without conditions and increments, each row on its own, all when the future completes. */
    CompletableFuture<Void> writeAll(List<RowChange> changes);

    /** About so many parts that together are the table and can be scanned side by side. */
    List<Partition> partitions(int wanted);

    /** Brings what is in the store's memory to its files, where a store can be told. */
    void flush();
}
