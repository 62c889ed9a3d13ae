package io.polytable.frontend.view;

import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;

/** Reads rows of a view by key, as of one reader. Not thread safe. */
public interface RowLookup extends AutoCloseable {
    /**
     * The visible row with the key, one value per column of the view; empty if there is none.
     *
     * @param key in the order of {@link View#key}
     */
    Optional<List<Value>> row(List<Value> key);

    @Override
    default void close() {}
}
