package io.polytable.store.memory;

import io.polytable.table.EncodedRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Where in the arena the newest row of a key lies. A slot holds 32 bits of the key's hash and the 32 bits of the place;
 * the hash bits also choose the slot, so that growing needs no look at the keys. One writer at a time; readers need no
 * lock: a slot is one long, and a chunk is dropped only after its places have left the slots. Whoever meets a place whose
 * chunk was dropped meanwhile looks once more: the row may have moved.
 */
class RowIndex {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long EMPTY = 0;

    /** Place 1, as place 0, would lie before a chunk's first row: none is ever there. */
    private static final long DELETED = 1;

    private static final long PLACE_MASK = 0xffffffffL;

    /** No place. */
    static final long NONE = -1;

    /** The row has moved or gone since its place was read. */
    private static final long MOVED = -2;

    private static final int FIRST_SLOTS = 1 << 12;

    private final Arena arena;
    private volatile long[] slots = new long[FIRST_SLOTS];
    private final EncodedRow other = new EncodedRow();
    private int used;
    private int deleted;

    RowIndex(Arena arena) {
        this.arena = arena;
    }

    int size() {
        return used;
    }

    /**
     * Moves the view to the key's newest row in memory, a delete perhaps, and answers its place; {@link #NONE} when there
     * is none. Place and row come from one look: what is decided by the place holds for this very row.
     */
    long find(long hash, int table, byte[] key, int offset, int length, EncodedRow view) {
        long found = look(hash, table, key, offset, length, view);
        while (found == MOVED) {
            found = look(hash, table, key, offset, length, view);
        }
        return found;
    }

    private long look(long hash, int table, byte[] key, int offset, int length, EncodedRow view) {
        long[] current = slots;
        int tag = (int) (hash >>> 32);
        for (int at = tag & (current.length - 1); ; at = (at + 1) & (current.length - 1)) {
            long slot = (long) SLOT.getAcquire(current, at);
            if (slot == EMPTY) {
                return NONE;
            }
            if ((int) (slot >>> 32) == tag && slot != DELETED) {
                if (!moveTo(view, (int) slot)) {
                    return MOVED;
                }
                if (isOf(view, table, key, offset, length)) {
                    return slot & PLACE_MASK;
                }
            }
        }
    }

    /** False when the place's chunk was dropped meanwhile. */
    private boolean moveTo(EncodedRow view, int place) {
        Chunk chunk = arena.chunkAt(place);
        if (chunk == null) {
            return false;
        }
        byte[] bytes = chunk.bytes;
        if (bytes == Chunk.GONE) {
            return false;
        }
        view.moveTo(bytes, Arena.offsetIn(chunk, place));
        return true;
    }

    private static boolean isOf(EncodedRow row, int table, byte[] key, int offset, int length) {
        return row.keyLength() == length
                && row.table() == table
                && Arrays.equals(row.array(), row.keyOffset(), row.keyOffset() + length, key, offset, offset + length);
    }

    /** Sees to it that so many more rows find room: what needs much memory happens before anything is shown. */
    void reserve(int more) {
        if ((used + deleted + (long) more) * 5 > slots.length * 3L) {
            rebuild(more);
        }
    }

    /** Makes the row at the place the newest of its key; answers the place of the one that was, or {@link #NONE}. */
    long put(long hash, int place, EncodedRow row) {
        reserve(1);
        long[] current = slots;
        int tag = (int) (hash >>> 32);
        long entry = ((long) tag << 32) | (place & PLACE_MASK);
        int free = -1;
        int at = tag & (current.length - 1);
        for (long slot = current[at]; slot != EMPTY; at = (at + 1) & (current.length - 1), slot = current[at]) {
            if (slot == DELETED) {
                free = free < 0 ? at : free;
            } else if ((int) (slot >>> 32) == tag && sameKey((int) slot, row)) {
                SLOT.setRelease(current, at, entry);
                died((int) slot);
                return slot & PLACE_MASK;
            }
        }
        if (free >= 0) {
            at = free;
            deleted--;
        }
        used++;
        SLOT.setRelease(current, at, entry);
        return NONE;
    }

    private boolean sameKey(int place, EncodedRow row) {
        Chunk chunk = arena.chunkAt(place);
        return chunk != null
                && isOf(
                        other.moveTo(chunk.bytes, Arena.offsetIn(chunk, place)),
                        row.table(),
                        row.array(),
                        row.keyOffset(),
                        row.keyLength());
    }

    /** The row at the place, on which the view stands, is its key's newest no more. */
    private void died(int place) {
        Chunk chunk = arena.chunkAt(place);
        if (chunk != null && other.op() == EncodedRow.PUT) {
            arena.countLive(chunk, Arena.offsetIn(chunk, place) - other.end());
        }
    }

    /** Whether the place is what the index holds for its key. */
    boolean holds(long hash, int place) {
        long[] current = slots;
        int tag = (int) (hash >>> 32);
        long entry = ((long) tag << 32) | (place & PLACE_MASK);
        int at = tag & (current.length - 1);
        while (current[at] != entry) {
            if (current[at] == EMPTY) {
                return false;
            }
            at = (at + 1) & (current.length - 1);
        }
        return true;
    }

    /** Forgets the place, if it is still what the index holds for its key; answers whether it was. */
    boolean remove(long hash, int place) {
        long[] current = slots;
        int mask = current.length - 1;
        int tag = (int) (hash >>> 32);
        long entry = ((long) tag << 32) | (place & PLACE_MASK);
        int at = tag & mask;
        while (current[at] != entry) {
            if (current[at] == EMPTY) {
                return false;
            }
            at = (at + 1) & mask;
        }
        used--;
        if (current[(at + 1) & mask] != EMPTY) {
            SLOT.setRelease(current, at, DELETED);
            deleted++;
            return true;
        }
        // Nothing goes on behind it, so neither this slot nor the deleted ones before it are needed as bridges.
        SLOT.setRelease(current, at, EMPTY);
        for (int before = (at - 1) & mask; current[before] == DELETED; before = (before - 1) & mask) {
            SLOT.setRelease(current, before, EMPTY);
            deleted--;
        }
        return true;
    }

    private void rebuild(int more) {
        long[] old = slots;
        int length = old.length;
        while ((used + (long) more) * 5 > length * 2L) {
            length = Math.multiplyExact(length, 2);
        }
        long[] next = new long[length];
        for (long slot : old) {
            if (slot != EMPTY && slot != DELETED) {
                int at = (int) (slot >>> 32) & (next.length - 1);
                while (next[at] != EMPTY) {
                    at = (at + 1) & (next.length - 1);
                }
                next[at] = slot;
            }
        }
        deleted = 0;
        slots = next;
    }
}
