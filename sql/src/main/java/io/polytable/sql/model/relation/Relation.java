package io.polytable.sql.model.relation;

import io.polytable.sql.type.SqlType;
import io.polytable.table.ColumnBatch;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something a query can read: rows of typed columns. */
public interface Relation {
    TableName name();

    /** In the order of {@code SELECT *}; hidden ones, which are there only by name, come last. */
    List<RelationColumn> columns();

    /** Names of the columns that make a row unique, in the order of the rows; empty where that is not known. */
    List<String> key();

    /** The rows that may satisfy the conditions, as the reader sees them; the caller checks each again. */
    Rows open(Reader reader, Request request);

    /** The same rows by columns, where the relation has them so; in the order of the request's columns. */
    default Optional<Batches> openBatches(Reader reader, Request request) {
        return Optional.empty();
    }

    /** Whether its bytes are ours, and not text that clients of another face wrote. */
    default boolean isOurs() {
        return false;
    }

    /** Who writes its rows, if that is not SQL. */
    default String writer() {
        return "the system";
    }

    /** Whether some of its rows may be in files. */
    default boolean hasFiles() {
        return false;
    }

    /** The files beside the rows that the store holds, for a query that reads them itself; it releases them. */
    default FileScan files(Reader reader, Request request) {
        return new FileScan(this, this, List.of(), List.of(), () -> {});
    }

    /** Whether the conditions leave less than all rows to read, by key or by an index. */
    default boolean isNarrowedBy(List<Condition> conditions) {
        return false;
    }

    /** What reading with these conditions touches, in words for EXPLAIN. */
    default String access(List<Condition> conditions) {
        return "all rows";
    }

    /** A column as queries see it. */
    record RelationColumn(String name, SqlType type, boolean hidden) {
        public static RelationColumn shown(String name, SqlType type) {
            return new RelationColumn(name, type, false);
        }
    }

    /**
     * What is wanted.
     *
     * @param user whose rows of a user table
     * @param columns indexes of the columns whose values are wanted; others may be left null
     * @param conditions that all wanted rows satisfy
     */
    record Request(String user, List<Integer> columns, List<Condition> conditions, boolean withDeleted) {
        public Request {
            columns = List.copyOf(columns);
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * A column compared with a value of its own type; a list for {@code in}, with {@code =} as its operator.
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

    /** A walk over rows by columns. One thread at a time. */
    interface Batches extends AutoCloseable {
        /** The next rows, none at the end; valid until the next call. */
        ColumnBatch next();

        @Override
        void close();
    }

    /** A walk over rows, one value a column. */
    interface Rows extends AutoCloseable {
        boolean next();

        /** Valid until the next step. */
        @Nullable
        Object[] row();

        @Override
        void close();
    }
}
