package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.OffsetSet;

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

    /** Its rows' offsets, in the order they came. */
    final IntList rows = new IntList();

    /** Those of its rows that a later row of the same generation supersedes, by offset. */
    final OffsetSet superseded = new OffsetSet();

    /** Those of its rows whose keys had no row, in the state or waiting for it, when their generation began. */
    final OffsetSet born = new OffsetSet();

    private final Arena arena;
    private int listBytes;

    /** Where the next row goes. */
    int end;

    /** Bytes of the rows here that are their keys' newest in memory, deletes not counted. */
    int liveBytes;

    Chunk(byte[] bytes, long address, int units, Arena arena) {
        this.bytes = bytes;
        this.address = address;
        this.units = units;
        this.arena = arena;
        countLists(rows.bytes());
    }

    /** A row starts there. */
    void add(int offset) {
        if (rows.add(offset)) {
            countLists(rows.bytes() / 2);
        }
    }

    void supersede(int offset) {
        countLists(superseded.set(offset));
    }

    void bear(int offset) {
        countLists(born.set(offset));
    }

    private void countLists(int more) {
        if (more > 0) {
            listBytes += more;
            arena.countLists(more);
        }
    }

    /** With the lists of its rows. */
    int weight() {
        return bytes.length + listBytes;
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
