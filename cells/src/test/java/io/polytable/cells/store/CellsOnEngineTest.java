package io.polytable.cells.store;

/** The contract of cell stores, on the engine. */
class CellsOnEngineTest extends OpenStoreContract {
    @Override
    OpenStores open() {
        return OpenStores.onEngine(directory, clock);
    }
}
