package io.polytable.cells.tables;

/** The contract of cell stores, in memory. */
class CellsOnMemoryTest extends TableCellStoreContract {
    @Override
    OpenStores open() {
        return OpenStores.inMemory(clock);
    }
}
