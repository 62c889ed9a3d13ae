package io.polytable.sql.query.scan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.tree.Expression;
import java.util.List;

/**
 * A place in a plan where one of our relations is read.
 *
 * @param conditions the conditions of the WHERE on its columns
 * @param columns the columns that the query sees
 * @param shownOnly whether it reads none of the hidden columns
 * @param files whether it reads the relation's files, too
 */
public record ScanSlot(
        Relation relation,
        List<ColumnCondition> conditions,
        List<RelationColumn> columns,
        boolean withDeleted,
        boolean shownOnly,
        boolean files) {
    public ScanSlot {
        conditions = List.copyOf(conditions);
        columns = List.copyOf(columns);
    }

    /** A comparison of a column with literals or parameters; {@code =} with several is IN. */
    public record ColumnCondition(String column, Expression.Comparison.Sign sign, List<Expression> constants) {
        public ColumnCondition {
            constants = List.copyOf(constants);
        }
    }
}
