package io.polytable.entity.store;

import io.polytable.entity.layout.TableLayout;

/**
 * The records and tables of one instance.
 *
 * <p>A table changes in three steps, each of which may be repeated after a crash: {@link #prepare} makes what the new layout
 * needs and keeps what the old one has, then the library makes the new layout the current one, then {@link #trim} drops what
 * only the old one had.
 */
public interface InstanceStore {
    StoreRecords records();

    /** Layouts that are in use in this process, shared by all who opened the same instance through the same store. */
    LayoutBoard layouts();

    void prepare(TableLayout layout);

    void trim(TableLayout layout);

    void drop(TableLayout layout);

    /** Cells of a prepared table, under the ids of the layout. */
    StoredTable table(TableLayout layout);
}
