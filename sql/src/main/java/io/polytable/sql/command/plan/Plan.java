package io.polytable.sql.command.plan;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import java.util.List;
import java.util.Optional;

/** What a statement does: resolved and compiled for one state of the catalog, one user and one search path. */
public sealed interface Plan {
    /**
     * Whether it may be run again: not one over a virtual table, which is another object in the next statement, nor over
     * rows that policies show.
     */
    default boolean isLasting() {
        return true;
    }

    /**
     * A read of one row, by a key given by parameters.
     *
     * @param otherwise if the parameters are not of the types of the key
     */
    record PointRead(SqlTable table, PointKey key, Projection shown, KeyRead otherwise) implements Plan {
        @Override
        public boolean isLasting() {
            return !table.isFiltered();
        }
    }

    /** A read of rows by key, key ranges or an index, if the parameters select some; otherwise DuckDB computes the query. */
    record KeyRead(
            SqlTable table,
            Selection rows,
            List<PlainSelect.OrderColumn> orders,
            Projection shown,
            Optional<Compiled> limit,
            Optional<Compiled> offset,
            boolean withDeleted)
            implements Plan {
        @Override
        public boolean isLasting() {
            return !table.isFiltered();
        }
    }

    /** A query that DuckDB computes. */
    record DuckRead(PreparedQuery query) implements Plan {
        @Override
        public boolean isLasting() {
            return query.isReusable();
        }
    }

    /** Everything else: the statement itself says what is done. */
    record Command(Statement statement) implements Plan {}

    /**
     * An INSERT.
     *
     * @param targets for each given value, the index of its column
     * @param rows the given rows; none if they are compiled one by one, because they are too many to keep
     * @param reads whether it needs the right to read, too
     * @param byKey whether it reads rows by key only and so needs no snapshot
     */
    @SuppressWarnings("ArrayRecordComponent") // Plans are never compared, and the array is never changed.
    record Insert(
            Statement.Insert insert,
            SqlTable table,
            TableRules rules,
            int[] targets,
            List<List<Optional<Computed>>> rows,
            Optional<Projection> returning,
            boolean reads,
            boolean byKey)
            implements Plan {}

    /**
     * A value of an INSERT.
     *
     * @param compiled empty if DuckDB computes it
     */
    record Computed(Expression expression, Optional<Compiled> compiled) {}

    /**
     * An UPDATE or DELETE.
     *
     * @param table the table, with the rows that the statement may find
     * @param reads whether it needs the right to read, too
     * @param point the key of the only row, if parameters give it
     * @param rows how the rows are found; empty if DuckDB finds them and computes their values
     * @param targets the indexes of the columns that are set
     * @param values what they are set to; an absent value is the column's default
     * @param computed the same, compiled
     */
    @SuppressWarnings("ArrayRecordComponent") // Plans are never compared, and the array is never changed.
    record Change(
            Statement.Rows target,
            SqlTable table,
            TableRules rules,
            boolean reads,
            Optional<PointKey> point,
            Optional<Selection> rows,
            int[] targets,
            List<Optional<Expression>> values,
            List<Optional<Compiled>> computed,
            Optional<Projection> returning)
            implements Plan {
        @Override
        public boolean isLasting() {
            return !table.isFiltered();
        }

        /** The name by which expressions refer to the table. */
        public String called() {
            return target.alias().orElse(table.name().name());
        }
    }
}
