package io.polytable.cells.store;

/** A table as of one moment. Holds resources of the store: close it. */
public interface CellSnapshot extends CellReads, AutoCloseable {
    @Override
    void close();
}
