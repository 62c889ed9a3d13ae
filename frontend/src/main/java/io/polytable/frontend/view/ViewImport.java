package io.polytable.frontend.view;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.util.List;

/**
 * Imports rows of a {@link View}: IMPORT restores what EXPORT wrote, through the frontend that owns the rows.
 *
 * <ul>
 *   <li>Rows are merged into existing data; rows of the same key are replaced.
 *   <li>Imports are idempotent: an interrupted import can be repeated.
 *   <li>The rows of {@link #write} are durable when it returns. After a failure some of the rows may have been written.
 * </ul>
 */
@FunctionalInterface
public interface ViewImport {
    /**
     * Writes some rows, in the order of the view.
     *
     * @param rows each with one value per column of the view, absent ones as {@link Value.Absent}
     * @throws StoreException {@link StoreError#BAD_VALUE} for rows that the frontend cannot have
     */
    void write(List<List<Value>> rows);
}
