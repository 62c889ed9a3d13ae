package io.polytable.sql.model.relation;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.ColumnBatch;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Anything a query can read: rows of typed columns. */
public interface Relation {
    TableName name();

    /** In the order of {@code SELECT *}; hidden columns, which are only accessible by name, come last. */
    List<RelationColumn> columns();

    /** Names of the columns of the unique key by which rows are sorted; empty if unknown. */
    List<String> key();

    /** The rows of the reader on the path; the caller must check the conditions of each. */
    Rows open(Reader reader, Request request);

    /** The same rows as column batches, if supported, with columns in the order of the request. */
    default Optional<Batches> openBatches(Reader reader, Request request) {
        return Optional.empty();
    }

    /** Whether BYTES columns are binary, as SQL wrote them, and not mostly text written through another frontend. */
    default boolean isOurs() {
        return false;
    }

    /** Who writes its rows, if not SQL. */
    default String writer() {
        return "the system";
    }

    /** Whether some of its rows may be flushed to files. */
    default boolean hasFiles() {
        return false;
    }

    /** The files beside the rows of the store, for a query that reads them directly and then releases them. */
    default FileScan files(Reader reader, Request request) {
        return new FileScan(this, this, List.of(), List.of(), () -> {});
    }

    /** The access path for these conditions, of rows that the user may see. */
    default AccessPath plan(String user, List<Condition> conditions) {
        return AccessPath.All.ROWS;
    }

    /** Whether the conditions reduce the rows to read, by the key or an index. */
    default boolean isNarrowedBy(List<Condition> conditions) {
        return plan("", conditions).isNarrow();
    }

    /** A column as queries see it. */
    record RelationColumn(String name, SqlType type, boolean hidden) {
        public static RelationColumn shown(String name, SqlType type) {
            return new RelationColumn(name, type, false);
        }
    }

    /**
     * The request of a query.
     *
     * @param user whose rows of a user table
     * @param columns indexes of the columns to read; others may be left null
     * @param path that {@link #plan} returned
     */
    record Request(String user, List<Integer> columns, AccessPath path, boolean withDeleted) {
        public Request {
            columns = List.copyOf(columns);
        }
    }

    /**
     * A comparison of a column with a value of its type; for IN the operator is {@code =} with several values.
     *
     * @param operator {@code = < <= > >=}
     */
    record Condition(String column, String operator, List<Object> values) {
        public Condition {
            values = List.copyOf(values);
        }

        public Object value() {
            return values.get(0);
        }
    }

    /** A cursor over column batches. Not thread-safe. */
    interface Batches extends AutoCloseable {
        /** The next rows, empty at the end; valid until the next call. */
        ColumnBatch next();

        @Override
        void close();
    }

    /** A cursor over rows, one value per column. */
    interface Rows extends AutoCloseable {
        boolean next();

        /** Valid until the next step. */
        @Nullable
        Object[] row();

        @Override
        void close();
    }
}
