package io.polytable.sql.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.Relation;
import java.util.List;

/**
 * A place in a query where one of our relations is read.
 *
 * @param marker the number that stands for the scan in the query's text until it runs
 * @param conditions what the WHERE beside it says about its columns
 * @param shownOnly whether it reads none of the hidden columns
 */
record ScanSlot(
        Relation relation, String marker, List<ColumnCondition> conditions, boolean withDeleted, boolean shownOnly) {
    ScanSlot {
        conditions = List.copyOf(conditions);
    }

    /**
     * A column of the relation compared with constants, as DuckDB's parser tells of them.
     *
     * @param operator {@code = < <= > >=}
     */
    record ColumnCondition(String column, String operator, List<JsonNode> constants) {
        ColumnCondition {
            constants = List.copyOf(constants);
        }
    }
}
