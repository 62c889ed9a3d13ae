package io.polytable.store.log;

/**
 * An append-only sequence of records, durable as its medium allows.
 *
 * <ul>
 *   <li>Groups are appended in order, without a gap: the next group's first position is {@link #end()} + 1.
 *   <li>One thread at a time appends; everything else may be called by any thread at any time.
 *   <li>{@link #acknowledged()} is what survives the death of this process, {@link #synced()} what survives the death of
 *       the machine. Neither ever goes back; a reader sees acknowledged records only.
 *   <li>After a failed append or sync the log is failed: every later call that would write throws
 *       {@link io.polytable.table.StoreError#FAILED}. It is never tried again, for nobody can know what is on the disk.
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

    /** The ticket of the last group, 0 when there is none. */
    long ticket();

    /**
     * Makes certain that groups of so many bytes in all can be appended to what was appended so far, without meeting a
     * full disk. Cheap when the room is there already, which is almost always. The engine asks before it shows a commit
     * to anyone, so that a full disk refuses writes instead of breaking promises.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#NO_ROOM}; a later call may succeed
     */
    void reserve(long bytes);

    /** Hands over the next group. The medium may acknowledge it later. */
    void append(LogGroup group);

    /** Waits until all that was appended before the call is synced. */
    void sync();

    /** Called, on any thread, each time {@link #acknowledged()} or {@link #synced()} advanced. Must be quick. */
    void onProgress(Runnable listener);

    /**
     * A reader whose first record is the one at the position.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#POSITION_EXPIRED} below
     *     {@link #first()}
     */
    LogReader read(long from);

    /** Records below the position are no longer needed by the engine; the log may keep them longer for its readers. */
    void release(long below);

    /** How many bytes lie between the position and the end, roughly: what a replay from there would read. */
    long bytesSince(long position);

    @Override
    void close();
}
