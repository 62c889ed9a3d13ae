package io.polytable.table;

/**
 * The write buffers of a table's state. All tables together stay within the memory of the store, whatever these say.
 *
 * @param memtableBytes the size at which a memtable is written to a file
 * @param totalBytes the memory of all memtables of the table, the ones that are being written included
 */
public record WriteBuffers(long memtableBytes, long totalBytes) {
    public static final long MEMTABLE_BYTES_MIN = 1 << 20;
    public static final long MEMTABLE_BYTES_MAX = 1 << 30;

    /** The most memtables of a table. */
    public static final int MEMTABLES_MAX = 16;

    public WriteBuffers {
        if (memtableBytes < MEMTABLE_BYTES_MIN
                || memtableBytes > MEMTABLE_BYTES_MAX
                || totalBytes < memtableBytes
                || totalBytes > MEMTABLES_MAX * memtableBytes) {
            throw new IllegalArgumentException("Write buffers out of bounds: " + memtableBytes + ", " + totalBytes);
        }
    }

    /** How many memtables fit; at least two, so that one takes writes while the other is written to a file. */
    public int memtables() {
        return (int) Math.max(2, totalBytes / memtableBytes);
    }

    /** The sizes of a kind of table that says nothing else. */
    public static WriteBuffers of(TableKind kind) {
        long megabytes = switch (kind) {
            case USER, SHARED, FACE -> 64;
            case STREAM -> 16;
            case SYSTEM -> 8;
        };
        long memtable = megabytes << 20;
        return new WriteBuffers(memtable, 2 * memtable);
    }
}
