package io.polytable.redis.model.stream.entry;

/**
 * When a node is full: Redis' {@code stream-node-max-entries} and {@code stream-node-max-bytes}, zero for no limit.
 *
 * @param entries counts deleted ones too
 */
public record NodeLimits(long entries, long bytes) {
    public static final NodeLimits STANDARD = new NodeLimits(100, 4096);

    /** No node of Redis is larger, whatever is set. */
    private static final long BYTES_MAX = 1L << 30;

    private static final long TRIMMED_NODES_MAX = 100;
    private static final long TRIMMED_STANDARD = 10_000;
    private static final long TRIMMED_MAX = 1_000_000;

    public boolean isFull(StreamNode node, long moreBytes) {
        long most = bytes == 0 || bytes > BYTES_MAX ? BYTES_MAX : bytes;
        return node.bytes() + moreBytes >= most || (entries > 0 && node.live() + node.dead() >= entries);
    }

    /** How many entries an approximate trimming removes at most when the client does not say it. */
    public long trimmedMax() {
        long most = entries > TRIMMED_MAX ? TRIMMED_MAX : TRIMMED_NODES_MAX * entries;
        return most <= 0 ? TRIMMED_STANDARD : Math.min(most, TRIMMED_MAX);
    }
}
