package io.polytable.cells.tables.definition;

import io.polytable.cells.CellTableSpec;

/**
 * What is written down of a cell table, or of a saved copy of one.
 *
 * @param physical the name of the physical table, in the namespace of cells
 * @param savedMillis when a copy was saved; of a table, when its delete markers were last removed
 */
public record Definition(CellTableSpec spec, String physical, long savedMillis) {
    public Definition with(CellTableSpec newSpec) {
        return new Definition(newSpec, physical, savedMillis);
    }

    public Definition withPhysical(String newPhysical) {
        return new Definition(spec, newPhysical, savedMillis);
    }

    public Definition at(long millis) {
        return new Definition(spec, physical, millis);
    }
}
