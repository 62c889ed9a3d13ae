package io.polytable.cells.tables;

import io.polytable.cells.CellLayout;

/** The contract of cell stores, for the family layout on the engine. */
class FamilyLayoutOnEngineTest extends TableCellStoreContract {
    @Override
    protected CellLayout layout() {
        return CellLayout.FAMILY;
    }

    @Override
    OpenStores open() {
        return OpenStores.onEngine(directory, clock);
    }
}
