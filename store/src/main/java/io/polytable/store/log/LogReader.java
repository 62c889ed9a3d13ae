package io.polytable.store.log;

import io.polytable.table.Origin;
import java.util.OptionalLong;

/**
 * A cursor over acknowledged records, for one thread at a time. At the end {@link #next()} returns false, and may
 * return true later. A reader does not keep the log from releasing records that it has not read yet.
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

    /** Why the record's commit was made. */
    Origin origin();

    /**
     * When the record's batch was written, by its writer's clock, in milliseconds since 1970. Empty for batches of
     * earlier versions.
     */
    OptionalLong writtenMillis();

    /**
     * The array with the record's rows: {@link #length()} bytes from {@link #offset()} on. It belongs to the reader and
     * holds this record only until {@link #next()} is called.
     */
    byte[] array();

    int offset();

    int length();

    @Override
    void close();
}
