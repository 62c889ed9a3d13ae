package io.polytable.store.memory;

/** One array of the arena. It covers one unit of the arena's addresses, or several when one record needs more. */
public final class Chunk {
    /** What a chunk that has left the arena holds, unless somebody may still look at its rows. */
    static final byte[] GONE = new byte[0];

    volatile byte[] bytes;

    /** The address of the first byte; addresses only grow, so they tell which of two rows is newer. */
    final long address;

    final int units;

    /** The number of the last generation with rows here; 0 in a chunk of cached rows. */
    volatile long generation;

    /** When the last row was added, if this holds cached rows and is full: a number of {@link RowMemory}'s events. */
    volatile long closedAt = Long.MAX_VALUE;

    /** Its rows' offsets, in the order they came. */
    final Places rows = new Places();

    /** Those of its rows that a later row of the same generation supersedes, by offset. */
    final OffsetSet superseded = new OffsetSet();

    /** Where the next row goes. */
    int end;

    /** Bytes of the rows here that are their keys' newest in memory, deletes not counted. */
    int liveBytes;

    Chunk(byte[] bytes, long address, int units) {
        this.bytes = bytes;
        this.address = address;
        this.units = units;
    }

    public byte[] bytes() {
        return bytes;
    }

    boolean isCache() {
        return generation == 0;
    }

    int left() {
        return bytes.length - end;
    }
}
