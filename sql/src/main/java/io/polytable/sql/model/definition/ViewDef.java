package io.polytable.sql.model.definition;

import io.polytable.table.TableName;
import java.time.Instant;
import java.util.List;

/**
 * The definition of a view.
 *
 * @param namespace where unqualified names in the query are looked up
 * @param columns names of its columns, if given
 */
public record ViewDef(TableName name, String query, String namespace, List<String> columns, Instant createdAt) {
    public ViewDef {
        columns = List.copyOf(columns);
    }
}
