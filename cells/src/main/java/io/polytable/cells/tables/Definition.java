package io.polytable.cells.tables;

import io.polytable.cells.CellTableSpec;

/**
 * What is written down of a cell table, or of a saved copy of one.
 *
 * @param physical the name of the physical table, in the namespace of cells
 * @param savedMillis when a copy was saved; of a table, when its delete markers were last removed
 */
record Definition(CellTableSpec spec, String physical, long savedMillis) {
    Definition with(CellTableSpec newSpec) {
        return new Definition(newSpec, physical, savedMillis);
    }

    Definition withPhysical(String newPhysical) {
        return new Definition(spec, newPhysical, savedMillis);
    }

    Definition at(long millis) {
        return new Definition(spec, physical, millis);
    }
}
