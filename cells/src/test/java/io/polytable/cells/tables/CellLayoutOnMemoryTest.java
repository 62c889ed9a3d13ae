package io.polytable.cells.tables;

import io.polytable.cells.CellLayout;

/** The contract of cell stores, for the cell layout in memory. */
class CellLayoutOnMemoryTest extends TableCellStoreContract {
    @Override
    protected CellLayout layout() {
        return CellLayout.CELL;
    }

    @Override
    OpenStores open() {
        return OpenStores.inMemory(clock);
    }
}
