package io.polytable.store.log;

/** A walk over acknowledged records. At the end {@link #next()} answers false, and may answer true later. */
public interface LogReader extends AutoCloseable {
    boolean next();

    long position();

    /** The ticket of the record's group. */
    long ticket();

    /** The array that holds the record's rows, from {@link #offset()} on, {@link #length()} bytes. */
    byte[] array();

    int offset();

    int length();

    @Override
    void close();
}
