package io.polytable.cells.tables;

/** The contract of cell stores, on the engine. */
class CellsOnEngineTest extends TableCellStoreContract {
    @Override
    OpenStores open() {
        return OpenStores.onEngine(directory, clock);
    }
}
