package io.polytable.sql.model.definition;

import io.polytable.table.TableName;
import java.time.Instant;
import java.util.List;

/**
 * A query with a name.
 *
 * @param namespace where names in it without a namespace are looked up
 * @param columns names of its columns, where they were given
 */
public record ViewDef(TableName name, String query, String namespace, List<String> columns, Instant createdAt) {
    public ViewDef {
        columns = List.copyOf(columns);
    }
}
