package io.polytable.store.feed;

/**
 * The heap budget of all change feeds of an engine.
 *
 * @param tailBytes for decoded commits, which all feeds share
 * @param oldBytes for rows changed since the snapshot from which old values are derived
 * @param backlogBytes for commits between a feed's snapshot and the point where it joined the tail
 * @param readersMax how many feeds may read the log on their own at a time, each with its own buffer
 */
public record FeedMemory(long tailBytes, long oldBytes, long backlogBytes, int readersMax) {
    private static final int PARTS = 4;
    private static final long TAIL_BYTES_MAX = 32L << 20;
    private static final int TAIL_READERS = 1;
    private static final int READERS_MAX = 256;

    /**
     * Divides the budget. The tail needs a reader, and at least one feed behind it must be able to read: these two come
     * first, the rest is divided. If the budget is smaller than that, the two readers are all there is.
     *
     * @param readerBytes the buffer of one log reader
     */
    public static FeedMemory of(long bytes, long readerBytes) {
        long readers = Math.max(1, Math.min(READERS_MAX, bytes / PARTS / readerBytes - TAIL_READERS));
        long left = Math.max(0, bytes - (readers + TAIL_READERS) * readerBytes);
        long bounded = Math.min(TAIL_BYTES_MAX, left / (PARTS - 1));
        return new FeedMemory(bounded, bounded, bounded, (int) readers);
    }
}
