package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.EncodedRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where in the arena the newest row of a key lies. A slot holds 32 bits of the key's hash and the 32 bits of the place;
 * the hash bits also choose the slot, so that growing needs no look at the keys. One writer at a time; readers need no
 * lock: a slot is one long, and a chunk is dropped only after its places have left the slots. Whoever meets a place whose
 * chunk was dropped meanwhile looks once more: the row may have moved.
 */
final class RowIndex {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long EMPTY = 0;

    /** Place 1, as place 0, would lie before a chunk's first row: none is ever there. */
    private static final long DELETED = 1;

    private static final long PLACE_MASK = 0xffffffffL;

    /** No place. */
    static final long NONE = -1;

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

    /** The key's newest row in memory, a delete perhaps; null when there is none. */
    @Nullable
    EncodedRow find(long hash, int table, byte[] key, int offset, int length) {
        long[] current = slots;
        int tag = (int) (hash >>> 32);
        for (int at = tag & (current.length - 1); ; at = (at + 1) & (current.length - 1)) {
            long slot = (long) SLOT.getAcquire(current, at);
            if (slot == EMPTY) {
                return null;
            }
            if ((int) (slot >>> 32) == tag && slot != DELETED) {
                EncodedRow row = rowAt((int) slot);
                if (row == null) {
                    return find(hash, table, key, offset, length);
                }
                if (isOf(row, table, key, offset, length)) {
                    return row;
                }
            }
        }
    }

    /** Null when the place's chunk was dropped meanwhile. */
    private @Nullable EncodedRow rowAt(int place) {
        Chunk chunk = arena.chunkAt(place);
        if (chunk == null) {
            return null;
        }
        byte[] bytes = chunk.bytes;
        return bytes == Chunk.GONE ? null : new EncodedRow().moveTo(bytes, Arena.offsetIn(chunk, place));
    }

    private static boolean isOf(EncodedRow row, int table, byte[] key, int offset, int length) {
        return row.keyLength() == length
                && row.table() == table
                && Arrays.equals(row.array(), row.keyOffset(), row.keyOffset() + length, key, offset, offset + length);
    }

    /** Makes the row at the place the newest of its key; answers the place of the one that was, or {@link #NONE}. */
    long put(long hash, int place, EncodedRow row) {
        if ((used + deleted) * 5L > slots.length * 3L) {
            rebuild();
        }
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

    /** The place of the key's newest row in memory, or {@link #NONE}. */
    long placeOf(long hash, int table, Bytes key) {
        long[] current = slots;
        int tag = (int) (hash >>> 32);
        for (int at = tag & (current.length - 1); ; at = (at + 1) & (current.length - 1)) {
            long slot = (long) SLOT.getAcquire(current, at);
            if (slot == EMPTY) {
                return NONE;
            }
            if ((int) (slot >>> 32) == tag && slot != DELETED) {
                EncodedRow row = rowAt((int) slot);
                if (row == null) {
                    return placeOf(hash, table, key);
                }
                if (isOf(row, table, key.array(), key.offset(), key.length())) {
                    return slot & PLACE_MASK;
                }
            }
        }
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

    private void rebuild() {
        long[] old = slots;
        boolean grow = used * 5L > old.length * 2L;
        long[] next = new long[grow ? old.length * 2 : old.length];
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
