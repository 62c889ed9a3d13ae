package io.polytable.entity.load;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mapping of a record's fields.
 *
 * @param ids the fields of the entity id, in the order of its components
 * @param columns field to column; fields named {@code family:column} need no entry
 * @param time the field with the cells' timestamp in milliseconds; without one it is the time of writing
 */
public record ImportPlan(List<String> ids, Map<String, ColumnName> columns, Optional<String> time) {
    public ImportPlan {
        ids = List.copyOf(ids);
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        if (ids.isEmpty()) {
            throw new EntityException(EntityError.BAD_REQUEST, "An import needs a field for the entity id");
        }
        columns.forEach((field, column) -> column.column());
    }

    /** The fields that a file must have; a missing one is misspelt. */
    List<String> named() {
        List<String> named = new ArrayList<>(ids);
        time.ifPresent(named::add);
        named.addAll(columns.keySet());
        return named;
    }

    /** The columns of a record's fields; fields that are no column are not imported. */
    Map<String, ColumnName> columnsOf(Iterable<String> fields) {
        Map<String, ColumnName> found = new LinkedHashMap<>();
        for (String field : fields) {
            ColumnName said = columns.get(field);
            if (said != null) {
                found.put(field, said);
            } else if (field.indexOf(':') > 0 && !ids.contains(field)) {
                found.put(field, ColumnName.parse(field));
            }
        }
        return found;
    }
}
