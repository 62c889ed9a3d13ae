package io.polytable.sql.model.table;

import org.jspecify.annotations.Nullable;

/** Which rows of a table a statement may find. */
@FunctionalInterface
public interface RowFilter {
    /**
     * Whether the statement may find the row.
     *
     * @param values one for each column of the definition
     */
    boolean shows(@Nullable Object[] values);
}
