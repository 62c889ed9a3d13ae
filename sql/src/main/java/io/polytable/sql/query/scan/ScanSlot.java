package io.polytable.sql.query.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.relation.Relation;
import java.util.List;

/**
 * A place in a plan where one of our relations is read.
 *
 * @param marker the number that stands for the scan in the plan's text until it runs
 * @param conditions the conditions of the WHERE on its columns
 * @param shownOnly whether it reads none of the hidden columns
 */
public record ScanSlot(
        Relation relation, String marker, List<ColumnCondition> conditions, boolean withDeleted, boolean shownOnly) {
    public ScanSlot {
        conditions = List.copyOf(conditions);
    }

    /**
     * A comparison of a column with constants, which are nodes of DuckDB's parse tree.
     *
     * @param operator {@code = < <= > >=}
     */
    public record ColumnCondition(String column, String operator, List<JsonNode> constants) {
        public ColumnCondition {
            constants = List.copyOf(constants);
        }
    }
}
