package io.polytable.table;

import java.util.List;

/**
 * Typed columns over rows that a face lays out itself: how SQL, exports and projections read what Redis or HBase
 * clients wrote without knowing those faces. The server collects the faces' views and hands them to the readers.
 */
public interface TableView {
    /** The name under which the rows are shown; no physical table needs to have it. */
    TableName name();

    List<Column> columns();

    /** Which columns make a shown row unique. */
    List<String> key();

    /** The shown rows, in the order of the physical tables beneath, as the reader sees them. */
    RowCursor open(Reader reader);

    /** A walk over shown rows: one value a column, absent ones as {@link Value.Absent}. */
    interface RowCursor extends AutoCloseable {
        boolean next();

        List<Value> row();

        @Override
        void close();
    }
}
