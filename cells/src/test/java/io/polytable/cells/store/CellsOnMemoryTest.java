package io.polytable.cells.store;

/** The contract of cell stores, in memory. */
class CellsOnMemoryTest extends OpenStoreContract {
    @Override
    OpenStores open() {
        return OpenStores.inMemory(clock);
    }
}
