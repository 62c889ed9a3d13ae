package io.polytable.cells.tables.definition;

import io.polytable.cells.CellTableSpec;

/**
 * The persistent definition of a cell table or of a saved copy.
 *
 * @param physical the physical table's name in {@link Definitions#NAMESPACE}
 * @param savedMillis for a copy, when it was saved; for a table, when its delete markers were last removed
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
