package io.polytable.table.view;

import io.polytable.table.ColumnVector;

/** The rows of a view one by one, as a face works them out: {@link ViewBatches} makes batches of them. */
public interface ViewRows extends AutoCloseable {
    boolean next();

    /** Adds the row's value of the view's column, by its place among the view's columns, to the vector. */
    void add(int column, ColumnVector target);

    @Override
    void close();
}
