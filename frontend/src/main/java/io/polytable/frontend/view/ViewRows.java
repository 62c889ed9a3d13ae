package io.polytable.frontend.view;

import io.polytable.table.column.ColumnVector;

/** The rows of a view one by one, as a frontend produces them: {@link ViewBatches} builds batches from them. */
public interface ViewRows extends AutoCloseable {
    boolean next();

    /** Adds the current row's value of the view's column, by its index, to the vector. */
    void add(int column, ColumnVector target);

    @Override
    void close();
}
