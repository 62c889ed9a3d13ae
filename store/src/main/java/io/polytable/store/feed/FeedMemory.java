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
    private static final int READERS_MIN = 2;
    private static final int READERS_MAX = 256;

    /**
     * Divides so many bytes.
     *
     * @param readerBytes what a reader of the log holds
     */
    public static FeedMemory of(long bytes, long readerBytes) {
        long part = bytes / PARTS;
        long bounded = Math.min(TAIL_BYTES_MAX, part);
        long readers = Math.max(READERS_MIN, Math.min(READERS_MAX, part / readerBytes));
        return new FeedMemory(bounded, bounded, bounded, (int) readers);
    }
}
