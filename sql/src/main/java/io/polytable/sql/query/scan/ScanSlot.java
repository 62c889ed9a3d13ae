package io.polytable.sql.query.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.relation.Relation;
import java.util.List;

/**
 * A place in a query where one of our relations is read.
 *
 * @param marker the number that stands for the scan in the query's text until it runs
 * @param conditions what the WHERE beside it says about its columns
 * @param shownOnly whether it reads none of the hidden columns
 */
public record ScanSlot(
        Relation relation, String marker, List<ColumnCondition> conditions, boolean withDeleted, boolean shownOnly) {
    public ScanSlot {
        conditions = List.copyOf(conditions);
    }

    /**
     * A column of the relation compared with constants, as DuckDB's parser tells of them.
     *
     * @param operator {@code = < <= > >=}
     */
    public record ColumnCondition(String column, String operator, List<JsonNode> constants) {
        public ColumnCondition {
            constants = List.copyOf(constants);
        }
    }
}
