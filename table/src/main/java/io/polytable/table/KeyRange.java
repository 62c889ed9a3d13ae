package io.polytable.table;

/**
 * The keys from {@code from} (inclusive) to {@code to} (exclusive, empty means no upper bound). {@code partitionLength}
 * is positive when every key of the range lies in the one partition that is the first bytes of {@code from}; such scans
 * are cheap right after writes. Zero means that the range may cross partitions: then the scan works on a snapshot.
 */
public record KeyRange(Bytes from, Bytes to, int partitionLength) {
    public static final KeyRange ALL = new KeyRange(Bytes.EMPTY, Bytes.EMPTY, 0);
    public static final KeyRange NONE = between(Bytes.of(new byte[1]), Bytes.of(new byte[1]));

    public KeyRange {
        if (partitionLength < 0 || partitionLength > from.length()) {
            throw new IllegalArgumentException("partition of " + partitionLength + " in " + from.length() + " bytes");
        }
        if (partitionLength > 0 && leaves(from.slice(0, partitionLength).successorOfPrefix(), to)) {
            throw new IllegalArgumentException("range leaves its partition");
        }
    }

    public static KeyRange between(Bytes from, Bytes to) {
        return new KeyRange(from, to, 0);
    }

    /** All keys that start with the prefix, across partitions. */
    public static KeyRange prefix(Bytes prefix) {
        return between(prefix, prefix.successorOfPrefix());
    }

    /** All rows of one partition. */
    public static KeyRange partition(Bytes partition) {
        return inPartition(partition, partition.length());
    }

    /** All keys that start with the prefix, whose first {@code partitionLength} bytes are the partition. */
    public static KeyRange inPartition(Bytes prefix, int partitionLength) {
        return new KeyRange(prefix, prefix.successorOfPrefix(), partitionLength);
    }

    /** Whether an upper bound exceeds the end of a partition; both may be empty, meaning unbounded. */
    private static boolean leaves(Bytes afterPartition, Bytes to) {
        return !afterPartition.isEmpty() && (to.isEmpty() || to.compareTo(afterPartition) > 0);
    }

    public Bytes partition() {
        return from.slice(0, partitionLength);
    }

    public boolean contains(Bytes key) {
        return key.compareTo(from) >= 0 && (to.isEmpty() || key.compareTo(to) < 0);
    }

    public boolean isEmpty() {
        return !to.isEmpty() && from.compareTo(to) >= 0;
    }
}
