package io.polytable.store.log;

/**
 * A walk over acknowledged records, for one thread at a time. At the end {@link #next()} answers false, and may answer
 * true later. A reader does not keep the log from letting go of what it has not read yet.
 */
public interface LogReader extends AutoCloseable {
    /**
     * Moves to the next record.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#POSITION_EXPIRED} when the log no
     *     longer holds it, {@link io.polytable.table.StoreError#CORRUPT} when its bytes are damaged
     */
    boolean next();

    long position();

    /** The ticket of the record's batch. */
    long ticket();

    /**
     * The array that holds the record's rows, from {@link #offset()} on, {@link #length()} bytes. It is the reader's:
     * its content is this record until {@link #next()} is called.
     */
    byte[] array();

    int offset();

    int length();

    @Override
    void close();
}
