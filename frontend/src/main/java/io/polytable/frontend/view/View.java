package io.polytable.frontend.view;

import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;

/**
 * Typed columns over rows with a frontend's own layout: through views SQL, exports and projections read the data of Redis
 * or HBase clients without knowing those frontends. The server collects the frontends' views and passes them to the readers.
 */
public interface View {
    /** The user who runs the server, and may read everything. */
    String ROOT = "root";

    /** The name of the view; it need not be the name of a physical table. */
    TableName name();

    List<Column> columns();

    /** The writers of the rows, as named in the error for an attempt to write to the view. */
    default String writer() {
        return "another frontend";
    }

    /** How exported rows are imported again; empty for a view that shows only a part of another one. */
    default Optional<ViewImport> importer() {
        return Optional.empty();
    }

    /** The view to import into, for one that shows only a part of it. */
    default Optional<TableName> importedInto() {
        return Optional.empty();
    }

    /** Whether the user may read the view. Views of frontends without users are readable by everybody. */
    default boolean isReadableBy(String user) {
        return true;
    }

    /** The columns that make a row unique. */
    List<String> key();

    /**
     * The rows that may be in the scan, in the order of the underlying tables, as of the reader. The caller tests the
     * ranges and the limit of the scan.
     */
    ViewRows candidates(Reader reader, ViewScan scan);

    /** Reads single rows by key. */
    default RowLookup lookup(Reader reader) {
        return wanted -> {
            ViewScan scan = ViewScan.all(this).first(1);
            for (int i = 0; i < wanted.size(); i++) {
                scan = scan.within(key().get(i), ColumnRange.equalTo(wanted.get(i)));
            }
            try (RowCursor rows = rows(reader, scan)) {
                return rows.next() ? Optional.of(rows.row()) : Optional.empty();
            }
        };
    }

    /** The number of leading key columns by which a copy of the rows in another system is partitioned. */
    default int together() {
        return 1;
    }

    /**
     * For views that come and go: a view of this name with another incarnation is a different view, whose rows must not
     * appear in a copy of this one. Empty for permanent views.
     */
    default String incarnation() {
        return "";
    }

    /**
     * The rows of the scan, in the order of the underlying tables, as of the reader.
     *
     * @throws StoreException {@link StoreError#BAD_VALUE} for unknown columns, ranges of columns that are not in the
     *     view's key, or bounds that are not of the column's type
     */
    default BatchCursor open(Reader reader, ViewScan scan) {
        return ViewBatches.open(this, scan, () -> candidates(reader, scan));
    }

    /** All rows as objects; for readers of few. */
    default RowCursor open(Reader reader) {
        return rows(reader, ViewScan.all(this));
    }

    /** The rows of the scan as objects; for readers of few. */
    default RowCursor rows(Reader reader, ViewScan scan) {
        int capacity = (int) Math.max(1, Math.min(BatchRows.CAPACITY, scan.limit()));
        return new BatchRows(open(reader, scan), new ColumnBatch(scan.columnsOf(this), capacity));
    }

    /** An iterator over rows in batches. Not thread safe; close it soon. */
    interface BatchCursor extends AutoCloseable {
        /**
         * Clears the batch and fills it with the next rows; returns false, and leaves it empty, if there are none. The
         * batch has the columns of the scan, in the same order.
         */
        boolean next(ColumnBatch batch);

        @Override
        void close();
    }

    /** An iterator over rows: one value per column, absent ones as {@link Value.Absent}. */
    interface RowCursor extends AutoCloseable {
        boolean next();

        List<Value> row();

        @Override
        void close();
    }
}
