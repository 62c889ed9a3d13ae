package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.OffsetSet;

/** A byte array of the arena. It covers one unit of address space, or several if a single record needs more. */
public final class Chunk {
    /** The content of a dropped chunk that is not pinned. */
    static final byte[] GONE = new byte[0];

    volatile byte[] bytes;

    /** The address of the first byte. Addresses only grow, so they order rows by age. */
    final long address;

    final int units;

    /** The last generation with rows here; 0 in a chunk of cached rows. */
    volatile long generation;

    /** The rows' offsets, in the order they were added. */
    final IntList rows = new IntList();

    /** Offsets of rows that a later row of the same generation supersedes. */
    final OffsetSet superseded = new OffsetSet();

    /**
     * Offsets of rows whose key had no row, in the state or in an unapplied generation, when their generation began.
     */
    final OffsetSet born = new OffsetSet();

    private final Arena arena;
    private int listBytes;

    /** The offset of the next row. */
    int end;

    /** Bytes of the rows here that are the newest of their key, deletes not counted. */
    int liveBytes;

    Chunk(byte[] bytes, long address, int units, Arena arena) {
        this.bytes = bytes;
        this.address = address;
        this.units = units;
        this.arena = arena;
        countLists(rows.bytes());
    }

    /** Records that a row starts at the offset. */
    void add(int offset) {
        if (rows.add(offset)) {
            countLists(rows.bytes() / 2);
        }
    }

    void supersede(int offset) {
        countLists(superseded.set(offset));
    }

    void markBorn(int offset) {
        countLists(born.set(offset));
    }

    private void countLists(int more) {
        if (more > 0) {
            listBytes += more;
            arena.countLists(more);
        }
    }

    /** The chunk's memory, the lists of its rows included. */
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
