package io.polytable.store.log;

/**
 * An append-only sequence of records, durable as its medium allows.
 *
 * <ul>
 *   <li>Batches are appended in order, without a gap: the next batch's first position is {@link #end()} + 1. Anything else
 *       is a mistake of the caller: {@link IllegalStateException}, and nothing happened.
 *   <li>One thread at a time appends; everything else may be called by any thread at any time. Nobody appends while the
 *       log is being closed.
 *   <li>{@link #acknowledged()} is what survives the death of this process, {@link #synced()} what survives the death of
 *       the machine. Neither ever goes back; a reader sees acknowledged records only, and all of them.
 *   <li>After a failed append or sync the log is failed: every later call that would write throws
 *       {@link io.polytable.table.StoreError#FAILED}. It is never tried again, for nobody can know what is on the disk.
 *       What was acknowledged can still be read.
 *   <li>A closed log answers every call with {@link io.polytable.table.StoreError#CLOSED}.
 * </ul>
 */
public interface CommitLog extends AutoCloseable {
    /** Distinguishes this log from another one that went on from the same backup. */
    long incarnation();

    /** The lowest position that can still be read; {@code end() + 1} when it holds none. */
    long first();

    /** The position of the last record appended; 0 when there never was one. */
    long end();

    long acknowledged();

    long synced();

    /** Whether a write or sync failed. A medium that acknowledges later finds out between two calls. */
    boolean failed();

    /**
     * Whether this process is certain to be the only one that appends. While it is not, somebody else may have gone on
     * with the log, and nothing that was read may be told to anyone.
     */
    default boolean isCurrent() {
        return true;
    }

    /** The ticket of the last batch, 0 when there never was one. */
    long ticket();

    /**
     * Makes certain that batches of so many bytes in all, headers included, can be appended to what was appended so far
     * without meeting a full disk. Cheap when the room is there already, which is almost always; otherwise it waits
     * until room is made or cannot be made. The engine asks before it shows a commit to anyone, so that a full disk
     * refuses writes instead of breaking promises. Bytes that were taken to be appended, and are not yet, count.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#NO_ROOM}; a later call may succeed
     */
    void reserve(long bytes);

    /**
     * Hands over the next batch and fills its header. The medium may acknowledge it later; its bytes must not change
     * until then. A batch that was not reserved may be refused with {@link io.polytable.table.StoreError#NO_ROOM}; then
     * nothing happened.
     */
    void append(RecordBatch batch);

    /** Waits until all that was appended before the call is synced. All who wait at the same time share the effort. */
    void sync();

    /**
     * Called, on any thread, each time {@link #acknowledged()} or {@link #synced()} advanced, the log failed, or became
     * current again. Must be quick.
     */
    void onProgress(Runnable listener);

    /**
     * A reader whose first record is the one at the position, which may be the one to come.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#POSITION_EXPIRED} below
     *     {@link #first()}, {@link io.polytable.table.StoreError#BAD_POSITION} beyond {@code end() + 1}
     */
    LogReader read(long from);

    /** About what a reader holds of the heap, as long as records are small. */
    long readerBytes();

    /** Records below the position are no longer needed by the engine; the log may keep them longer for its readers. */
    void release(long below);

    /** How many bytes lie between the position and the end, roughly: what a replay from there would read. */
    long bytesSince(long position);

    /** Syncs what was appended, and lets go of everything. */
    @Override
    void close();
}
