package io.polytable.redis.model.stream.entry;

/**
 * The size at which a node is full: Redis' {@code stream-node-max-entries} and {@code stream-node-max-bytes}, zero for
 * no limit.
 *
 * @param entries includes deleted ones
 */
public record NodeLimits(long entries, long bytes) {
    public static final NodeLimits STANDARD = new NodeLimits(100, 4096);

    /** No node of Redis is larger, whatever is configured. */
    private static final long BYTES_MAX = 1L << 30;

    private static final long TRIMMED_NODES_MAX = 100;
    private static final long TRIMMED_STANDARD = 10_000;
    private static final long TRIMMED_MAX = 1_000_000;

    public boolean isFull(StreamNode node, long moreBytes) {
        long most = bytes == 0 || bytes > BYTES_MAX ? BYTES_MAX : bytes;
        return node.bytes() + moreBytes >= most || (entries > 0 && node.live() + node.dead() >= entries);
    }

    /** The number of entries that an approximate trim removes at most, unless the client names a limit. */
    public long trimmedMax() {
        long most = entries > TRIMMED_MAX ? TRIMMED_MAX : TRIMMED_NODES_MAX * entries;
        return most <= 0 ? TRIMMED_STANDARD : Math.min(most, TRIMMED_MAX);
    }
}
