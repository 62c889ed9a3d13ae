package io.polytable.sql.model.definition;

import java.util.List;

/**
 * The definition of a secondary index.
 *
 * @param columns ids of the indexed columns, in order
 * @param physical the name of its table in the store, in the namespace of the indexed table
 */
public record IndexDef(String name, List<Integer> columns, boolean unique, String physical) {
    public IndexDef {
        columns = List.copyOf(columns);
    }
}
