package io.polytable.sql.model;

import io.polytable.sql.type.SqlType;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import java.util.List;
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

        Object value() {
            return values.get(0);
        }
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
