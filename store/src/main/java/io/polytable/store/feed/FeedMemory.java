package io.polytable.store.feed;

/**
 * How much of the heap change feeds may take, all of them together.
 *
 * @param tailBytes for decoded commits that everybody shares
 * @param oldBytes for rows that were changed since the snapshot from which old values are told
 * @param backlogBytes for what feeds with old values are still to be told of the time before they joined the tail
 * @param readersMax so many feeds may read the log by themselves at a time, each with a buffer of its own
 */
public record FeedMemory(long tailBytes, long oldBytes, long backlogBytes, int readersMax) {
    private static final int PARTS = 4;
    private static final long TAIL_BYTES_MAX = 32L << 20;
    private static final int TAIL_READERS = 1;
    private static final int READERS_MAX = 256;

    /**
     * Divides so many bytes. The tail has a reader of its own, and one feed behind it must be able to read: these two come
     * first, and the others get what is left. Where bytes are fewer than that, the two readers are all there is.
     *
     * @param readerBytes what a reader of the log holds
     */
    public static FeedMemory of(long bytes, long readerBytes) {
        long readers = Math.max(1, Math.min(READERS_MAX, bytes / PARTS / readerBytes - TAIL_READERS));
        long left = Math.max(0, bytes - (readers + TAIL_READERS) * readerBytes);
        long bounded = Math.min(TAIL_BYTES_MAX, left / (PARTS - 1));
        return new FeedMemory(bounded, bounded, bounded, (int) readers);
    }
}
