package io.polytable.store.memory;

import io.polytable.table.write.EncodedRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The hash index from a key to the place of its newest row in the arena. The hash's first bits choose a page, a small
 * hash table with open addressing: the index grows and shrinks page by page, so no large array is copied while writers
 * wait. A slot holds 28 more bits of the hash and the 36 bits of the place. The same bits choose the slot, so growing a
 * page does not read keys.
 *
 * <p>Single writer, lock-free readers: a slot is one long, and a chunk is dropped only after its places have left the
 * slots. A reader that meets a place of a dropped chunk looks again: the row may have moved.
 */
class RowIndex {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long EMPTY = 0;

    /** A marker that is no place: places 0 and 1 lie before a chunk's first row. */
    private static final long DELETED = 1;

    private static final int PLACE_BITS = 36;
    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;
    private static final long TAG_MASK = (1L << (Long.SIZE - PLACE_BITS)) - 1;

    /** No place. */
    static final long NONE = -1;

    /** The row was moved or evicted after its place was read. */
    private static final long MOVED = -2;

    /** A page without entries. */
    private static final long[] NO_SLOTS = new long[1];

    private static final int FIRST_SLOTS = 8;

    /** The heap overhead of an array. */
    private static final int ARRAY_HEADER_BYTES = 16;

    /** The budget per page, as a shift: with small rows a full page has some ten thousand slots. */
    private static final int BUDGET_SHIFT = 19;

    private static final int PAGE_BITS_MIN = 4;
    private static final int PAGE_BITS_MAX = 17;

    private final Arena arena;
    private final int pageShift;
    private final AtomicReferenceArray<long[]> pages;
    private final int[] used;
    private final int[] deleted;
    private final EncodedRow other = new EncodedRow();
    private long size;
    private long bytes;

    /** @param budgetBytes the memory budget for rows */
    RowIndex(Arena arena, long budgetBytes) {
        this.arena = arena;
        int wanted = Long.SIZE - Long.numberOfLeadingZeros(budgetBytes >>> BUDGET_SHIFT);
        int pageBits = Math.max(PAGE_BITS_MIN, Math.min(wanted, PAGE_BITS_MAX));
        pageShift = Long.SIZE - pageBits;
        pages = new AtomicReferenceArray<>(1 << pageBits);
        for (int i = 0; i < pages.length(); i++) {
            pages.setPlain(i, NO_SLOTS);
        }
        used = new int[1 << pageBits];
        deleted = new int[1 << pageBits];
        bytes = (long) (3 * Integer.BYTES) << pageBits;
    }

    /** The number of keys. */
    long size() {
        return size;
    }

    long bytes() {
        return bytes;
    }

    private static long tagOf(long hash) {
        return hash & TAG_MASK;
    }

    private static int home(long tag, long[] slots) {
        return (int) tag & (slots.length - 1);
    }

    private static int next(int at, long[] slots) {
        return (at + 1) & (slots.length - 1);
    }

    private static long entry(long hash, long place) {
        return (tagOf(hash) << PLACE_BITS) | place;
    }

    private static boolean isTagged(long slot, long tag) {
        return slot >>> PLACE_BITS == tag && slot != DELETED;
    }

    /**
     * The place of the key's newest row in memory, which may be a delete; {@link #NONE} if there is none. The row at a
     * place never changes, so a decision by place holds for exactly this row.
     */
    long find(long hash, int table, byte[] key, int offset, int length) {
        long found = look(hash, table, key, offset, length);
        while (found == MOVED) {
            found = look(hash, table, key, offset, length);
        }
        return found;
    }

    private long look(long hash, int table, byte[] key, int offset, int length) {
        long[] slots = pages.getAcquire((int) (hash >>> pageShift));
        long tag = tagOf(hash);
        for (int at = home(tag, slots); ; at = next(at, slots)) {
            long slot = (long) SLOT.getAcquire(slots, at);
            if (slot == EMPTY) {
                return NONE;
            }
            if (isTagged(slot, tag)) {
                long place = slot & PLACE_MASK;
                Chunk chunk = arena.chunkAt(place);
                byte[] array = chunk == null ? Chunk.GONE : chunk.bytes;
                if (chunk == null || array == Chunk.GONE) {
                    return MOVED;
                }
                if (EncodedRow.isOf(array, arena.offsetIn(chunk, place), table, key, offset, length)) {
                    return place;
                }
            }
        }
    }

    /** Makes the row at the place the newest of its key; returns the place of the previous one, or {@link #NONE}. */
    long put(long hash, long place, EncodedRow row) {
        int page = (int) (hash >>> pageShift);
        long[] slots = pages.getPlain(page);
        long tag = tagOf(hash);
        int free = -1;
        int at = home(tag, slots);
        for (long slot = slots[at]; slot != EMPTY; at = next(at, slots), slot = slots[at]) {
            if (slot == DELETED) {
                free = free < 0 ? at : free;
            } else if (isTagged(slot, tag) && sameKey(slot & PLACE_MASK, row)) {
                SLOT.setRelease(slots, at, entry(hash, place));
                died(slot & PLACE_MASK);
                return slot & PLACE_MASK;
            }
        }
        insert(page, slots, free >= 0 ? free : at, entry(hash, place));
        return NONE;
    }

    /** Inserts an entry for a key that the page does not have yet; the slot is free. */
    private void insert(int page, long[] slots, int at, long entry) {
        size++;
        used[page]++;
        if (slots[at] == DELETED) {
            deleted[page]--;
        } else if ((used[page] + deleted[page]) * 5L > slots.length * 3L) {
            long[] larger = rebuilt(page, slots);
            place(larger, entry);
            pages.setRelease(page, larger);
            return;
        }
        SLOT.setRelease(slots, at, entry);
    }

    private boolean sameKey(long place, EncodedRow row) {
        Chunk chunk = arena.chunkAt(place);
        return chunk != null
                && EncodedRow.isOf(
                        chunk.bytes,
                        arena.offsetIn(chunk, place),
                        row.table(),
                        row.array(),
                        row.keyOffset(),
                        row.keyLength());
    }

    /** The row at the place was superseded: it no longer counts as live. */
    private void died(long place) {
        Chunk chunk = arena.chunkAt(place);
        if (chunk != null) {
            int offset = arena.offsetIn(chunk, place);
            if (other.moveTo(chunk.bytes, offset).op() == EncodedRow.PUT) {
                arena.countLive(chunk, offset - other.end());
            }
        }
    }

    /** Whether the index holds this place. */
    boolean holds(long hash, long place) {
        return slotOf(pages.getPlain((int) (hash >>> pageShift)), entry(hash, place)) >= 0;
    }

    private static int slotOf(long[] slots, long entry) {
        int at = home(entry >>> PLACE_BITS, slots);
        while (slots[at] != entry) {
            if (slots[at] == EMPTY) {
                return -1;
            }
            at = next(at, slots);
        }
        return at;
    }

    /** Removes the place if the index still holds it; returns whether it did. */
    boolean remove(long hash, long place) {
        int page = (int) (hash >>> pageShift);
        long[] slots = pages.getPlain(page);
        int at = slotOf(slots, entry(hash, place));
        if (at < 0) {
            return false;
        }
        size--;
        used[page]--;
        clear(page, slots, at);
        if (slots.length > FIRST_SLOTS && used[page] * 16L < slots.length) {
            pages.setRelease(page, rebuilt(page, slots));
        }
        return true;
    }

    private void clear(int page, long[] slots, int at) {
        if (slots[next(at, slots)] != EMPTY) {
            SLOT.setRelease(slots, at, DELETED);
            deleted[page]++;
            return;
        }
        // The probe sequence ends here, so neither this slot nor the deleted slots before it are needed to continue it.
        SLOT.setRelease(slots, at, EMPTY);
        int mask = slots.length - 1;
        for (int before = (at - 1) & mask; slots[before] == DELETED; before = (before - 1) & mask) {
            SLOT.setRelease(slots, before, EMPTY);
            deleted[page]--;
        }
    }

    /** Rebuilds the page in an array sized for its present entries. */
    private long[] rebuilt(int page, long[] old) {
        int length = FIRST_SLOTS;
        while (used[page] * 5L > length * 2L) {
            length *= 2;
        }
        long[] slots = new long[length];
        for (long slot : old) {
            if (slot != EMPTY && slot != DELETED) {
                place(slots, slot);
            }
        }
        bytes += arrayBytes(slots) - arrayBytes(old);
        deleted[page] = 0;
        return slots;
    }

    private static void place(long[] slots, long entry) {
        int at = home(entry >>> PLACE_BITS, slots);
        while (slots[at] != EMPTY) {
            at = next(at, slots);
        }
        slots[at] = entry;
    }

    private static long arrayBytes(long[] slots) {
        return slots == NO_SLOTS ? 0 : ARRAY_HEADER_BYTES + (long) slots.length * Long.BYTES;
    }
}
