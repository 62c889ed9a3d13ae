package io.polytable.table.view;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Value;
import java.util.List;

/**
 * Takes rows back that a {@link TableView} showed: how IMPORT restores what EXPORT wrote, through the face that owns them.
 *
 * <ul>
 *   <li>Rows are added to what is there; rows of the same key replace it.
 *   <li>The same rows written again change nothing: an import that was interrupted begins anew.
 *   <li>What {@link #write} was given is durable when it returns. After a failure some of the rows may have been written.
 * </ul>
 */
@FunctionalInterface
public interface ViewImport {
    /**
     * Writes some rows, in the order in which the view shows them.
     *
     * @param rows each with one value a column of the view, absent ones as {@link Value.Absent}
     * @throws StoreException {@link StoreError#BAD_VALUE} for rows that the face cannot have
     */
    void write(List<List<Value>> rows);
}
