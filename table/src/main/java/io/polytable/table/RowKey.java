package io.polytable.table;

/**
 * A row's encoded primary key and the length of its partition prefix. A partition is the unit that can be scanned
 * cheaply right after a write and that one stripe locks.
 */
public record RowKey(Bytes bytes, int partitionLength) {
    public RowKey {
        if (partitionLength < 0 || partitionLength > bytes.length()) {
            throw new IllegalArgumentException("partition of " + partitionLength + " in " + bytes.length() + " bytes");
        }
    }

    /** A key that is its own partition. */
    public static RowKey whole(Bytes bytes) {
        return new RowKey(bytes, bytes.length());
    }

    public Bytes partition() {
        return bytes.slice(0, partitionLength);
    }
}
