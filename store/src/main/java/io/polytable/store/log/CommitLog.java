package io.polytable.store.log;

import io.polytable.table.StoreException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The write-ahead log: an append-only sequence of records, as durable as its medium allows.
 *
 * <ul>
 *   <li>Batches are appended in order, without a gap: the next batch's first position is {@link #end()} + 1. Anything
 *       else is a caller's bug: {@link IllegalStateException}, and nothing happened.
 *   <li>One thread at a time appends; everything else may be called by any thread at any time. Nobody appends while the
 *       log is being closed.
 *   <li>{@link #acknowledged()} survives the death of this process, {@link #synced()} the death of the machine. Both
 *       are monotonic. Readers see all acknowledged records and no others.
 *   <li>After a failed append or sync the log is failed: every later call that would write throws {@link
 *       io.polytable.table.StoreError#FAILED}. There is no retry, because the content of the disk is unknown.
 *       Acknowledged records can still be read.
 *   <li>A closed log answers every call with {@link io.polytable.table.StoreError#CLOSED}.
 * </ul>
 */
public interface CommitLog extends AutoCloseable {
    /** Distinguishes this log from another one that continued from the same backup. */
    long incarnation();

    /** The lowest position that can still be read; {@code end() + 1} if there is none. */
    long first();

    /** The position of the last record appended; 0 before the first. */
    long end();

    long acknowledged();

    long synced();

    /** Whether a write or sync failed. A medium that acknowledges asynchronously may find out between two calls. */
    boolean failed();

    /**
     * Whether this process is certain to be the only writer. While it is not, another process may have continued the
     * log, and nothing that was read may be returned to anyone.
     */
    default boolean isCurrent() {
        return true;
    }

    /** The ticket of the last batch, 0 before the first. */
    long ticket();

    /**
     * Guarantees that batches of this many bytes in total, headers included, can be appended after what was appended so
     * far without meeting a full disk. Cheap if the space exists already, which is almost always; otherwise waits until
     * it is allocated or cannot be, but never for acknowledgements. The engine calls this before it makes a commit
     * visible, so that a full disk refuses writes instead of breaking promises; it calls it once before it takes its
     * mutex, so that a wait happens there. Count bytes that were taken to be appended and are not appended yet.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#NO_ROOM}; a later call may succeed
     */
    void reserve(long bytes);

    /**
     * Back-pressure: whether the medium keeps up with what was appended. It turns false early, long before {@link
     * #reserve} refuses, and the engine then holds writers back outside its locks. True for a log that has failed, so
     * that writers get the error. A change to true is reported as progress.
     */
    default boolean hasRoom() {
        return true;
    }

    /** Why reservations are refused now, if even small ones are; an append needs one. */
    default Optional<StoreException> refusal() {
        return Optional.empty();
    }

    /** Bytes that can be appended without allocating space; empty if the medium allocates none. */
    default OptionalLong reservedBytes() {
        return OptionalLong.empty();
    }

    /**
     * Appends the next batch and fills its header. The medium may acknowledge it later; its bytes must not change until
     * then. A batch that was not reserved may be refused with {@link io.polytable.table.StoreError#NO_ROOM}; then
     * nothing happened.
     */
    void append(RecordBatch batch);

    /** Waits until everything appended before the call is synced. Concurrent callers share one sync. */
    void sync();

    /**
     * Adds a listener for each advance of {@link #acknowledged()} or {@link #synced()}, for failure, and for becoming
     * current again. It is called on any thread and must be quick.
     */
    void onProgress(Runnable listener);

    /**
     * Opens a reader whose first record is the one at the position, which may be the next one to be appended.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#POSITION_EXPIRED} below {@link
     *     #first()}, {@link io.polytable.table.StoreError#BAD_POSITION} beyond {@code end() + 1}
     */
    LogReader read(long from);

    /** Approximate heap of a reader, as long as records are small. */
    long readerBytes();

    /**
     * Notifies the log that the engine no longer needs records below the position; the log may retain them longer for
     * readers.
     */
    void release(long below);

    /** The approximate number of bytes from the position to the end: what a replay from there would read. */
    long bytesSince(long position);

    /** Syncs what was appended and releases all resources. */
    @Override
    void close();
}
