package io.polytable.table.view;

import io.polytable.table.Column;
import io.polytable.table.ColumnBatch;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.Value;
import java.util.List;
import java.util.Optional;

/**
 * Typed columns over rows that a face lays out itself: how SQL, exports and projections read what Redis or HBase
 * clients wrote without knowing those faces. The server collects the faces' views and hands them to the readers.
 */
public interface TableView {
    /** The user who runs the server, and reads everything. */
    String ROOT = "root";

    /** The name under which the rows are shown; no physical table needs to have it. */
    TableName name();

    List<Column> columns();

    /** Who writes the rows, in the words of an error that refuses to do it for them. */
    default String writer() {
        return "another face";
    }

    /** How rows that the view showed are written back; empty for a view that only shows something of another one. */
    default Optional<ViewImport> importer() {
        return Optional.empty();
    }

    /** The view to import into that has all of what this one shows a part of. */
    default Optional<TableName> importedInto() {
        return Optional.empty();
    }

    /** Whether the user may read what is shown; what a face without users shows, everybody may. */
    default boolean isReadableBy(String user) {
        return true;
    }

    /** Which columns make a shown row unique. */
    List<String> key();

    /**
     * The shown rows that the scan asks for, in the order of the physical tables beneath, as the reader sees them.
     *
     * @throws StoreException {@link StoreError#BAD_VALUE} for columns that the view does not have, ranges of columns that
     *     are not in its key, or values in them that are not of the column's type
     */
    BatchCursor open(Reader reader, ViewScan scan);

    /** All shown rows, as objects: for readers of few. */
    default RowCursor open(Reader reader) {
        return rows(reader, ViewScan.all(this));
    }

    /** The rows that the scan asks for, as objects: for readers of few. */
    default RowCursor rows(Reader reader, ViewScan scan) {
        int capacity = (int) Math.max(1, Math.min(BatchRows.CAPACITY, scan.limit()));
        return new BatchRows(open(reader, scan), new ColumnBatch(scan.columnsOf(this), capacity));
    }

    /** A walk over shown rows in batches. One thread at a time; close it, soon. */
    interface BatchCursor extends AutoCloseable {
        /**
         * Empties the batch and fills it with the next rows; answers false, and leaves it empty, when there are none. The
         * batch has the columns that the scan asked for, in the same order.
         */
        boolean next(ColumnBatch batch);

        @Override
        void close();
    }

    /** A walk over shown rows: one value a column, absent ones as {@link Value.Absent}. */
    interface RowCursor extends AutoCloseable {
        boolean next();

        List<Value> row();

        @Override
        void close();
    }
}
