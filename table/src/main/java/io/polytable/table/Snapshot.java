package io.polytable.table;

/** All tables as they were at one position. Holds memory and files of the engine: close it. */
public interface Snapshot extends Reader, AutoCloseable {
    /** Changes from here on are exactly those the snapshot does not show. */
    Position position();

    @Override
    void close();
}
