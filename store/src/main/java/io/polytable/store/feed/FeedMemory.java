package io.polytable.store.feed;

/**
 * The heap budget of the change feeds of one partition.
 *
 * @param tailBytes for decoded commits, which all feeds share
 * @param oldBytes for rows changed since the snapshot from which old values are derived
 * @param backlogBytes for commits between a feed's snapshot and the point where it joined the tail
 * @param readersMax how many feeds of all partitions may read the log on their own at a time, each with its own buffer
 */
public record FeedMemory(long tailBytes, long oldBytes, long backlogBytes, int readersMax) {
    private static final int PARTS = 4;
    private static final long TAIL_BYTES_MAX = 32L << 20;
    private static final int TAIL_READERS = 1;
    private static final int READERS_MAX = 256;

    /**
     * Divides a partition's budget. All partitions share their readers ({@link ReaderPool}): at least one for the tails and one
     * for feeds behind them. These come first, the rest is divided. If the budget is smaller than that, the readers are
     * all there is.
     *
     * @param bytes the budget of each partition
     * @param readerBytes the buffer of one log reader
     */
    public static FeedMemory of(long bytes, long readerBytes, int partitions) {
        long readers = Math.max(1, Math.min(READERS_MAX, bytes * partitions / PARTS / readerBytes - TAIL_READERS));
        long own = ((readers + TAIL_READERS) * readerBytes + partitions - 1) / partitions;
        long bounded = Math.min(TAIL_BYTES_MAX, Math.max(0, bytes - own) / (PARTS - 1));
        return new FeedMemory(bounded, bounded, bounded, (int) readers);
    }
}
