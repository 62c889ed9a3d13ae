package io.polytable.redis.model.row;

import io.polytable.frontend.limit.Budget;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the elements of dense lists, in blocks of neighbouring positions. Reading a range again then needs no
 * lookup per element, which is a hash, two cache misses and some ten objects.
 *
 * <p>A block is never stale. Calls on one list run one after the other, since each holds its key's stripe, and whoever
 * puts an element's row drops the block first. A removed element may stay in its block: nobody asks for a position
 * outside the header's bounds, and a push that reuses the position drops the block. Only a unit of work that has
 * written nothing fills blocks, so they hold committed rows.
 *
 * <p>Memory is bounded: the number of slots is fixed, and so are the bytes of a block.
 */
public final class ListBlocks {
    /** Positions in a block. */
    public static final int POSITIONS = 64;

    /** Answered when the positions are not in the cache. */
    public static final long NOT_KEPT = -1;

    /** The overhead of an element in a reply, besides its bytes. */
    private static final int OBJECT_BYTES = 80;

    private static final int BLOCK_BYTES_MAX = 16 << 10;

    private static final int SLOTS_MIN = 64;
    private static final int SLOTS_MAX = 8192;

    private final AtomicReferenceArray<@Nullable Block> slots;
    private final Budget memory;

    public ListBlocks(Budget memory) {
        this.memory = memory;
        long fitting = memory.limitBytes() / BLOCK_BYTES_MAX;
        int count = (int) Math.max(SLOTS_MIN, Math.min(SLOTS_MAX, fitting));
        slots = new AtomicReferenceArray<>(Integer.highestOneBit(count));
    }

    private void replace(int slot, Block block) {
        memory.take(block.heldBytes());
        Block before = slots.getAndSet(slot, block);
        if (before != null) {
            memory.release(before.heldBytes());
        }
    }

    /** Removes the block unless another list's block came meanwhile. */
    private void remove(int slot, Block block) {
        if (slots.compareAndSet(slot, block, null)) {
            memory.release(block.heldBytes());
        }
    }

    /** Consecutive elements of a list, packed into one array. */
    private static final class Block {
        private final long list;
        private final long first;
        private final byte[] bytes;
        private final int[] ends;

        Block(long list, long first, byte[] bytes, int[] ends) {
            this.list = list;
            this.first = first;
            this.bytes = bytes;
            this.ends = ends;
        }

        long heldBytes() {
            return bytes.length + (long) Integer.BYTES * ends.length;
        }

        boolean covers(long id, long from, long to) {
            return list == id && from >= first && to <= first + ends.length;
        }

        long addTo(List<Bytes> target, long from, long to) {
            int last = (int) (to - first);
            int index = (int) (from - first);
            int start = index == 0 ? 0 : ends[index - 1];
            int at = start;
            for (; index < last; index++) {
                target.add(Bytes.of(bytes, at, ends[index] - at));
                at = ends[index];
            }
            return at - start + (to - from) * OBJECT_BYTES;
        }
    }

    /** The first position of the block that contains the position. */
    public static long startOf(long position) {
        return position & -POSITIONS;
    }

    private int slotOf(long list, long position) {
        long mixed = list * 0x9e3779b97f4a7c15L + Math.floorDiv(position, POSITIONS);
        return (int) (mixed ^ (mixed >>> 32)) & (slots.length() - 1);
    }

    /**
     * Adds the elements at the positions, which are in one block, and answers the memory they take in a reply, or
     * {@link #NOT_KEPT}.
     */
    public long addTo(List<Bytes> target, long list, long from, long to) {
        Block block = slots.getAcquire(slotOf(list, from));
        return block == null || !block.covers(list, from, to) ? NOT_KEPT : block.addTo(target, from, to);
    }

    /** Keeps a copy of the elements, which are in one block, unless they are too large. */
    public void keep(long list, long first, List<Bytes> values) {
        long length = 0;
        for (Bytes value : values) {
            length += value.length() + Integer.BYTES;
        }
        if (length > BLOCK_BYTES_MAX) {
            return;
        }
        // A copy: a view would keep a whole chunk of rows from being freed.
        byte[] bytes = new byte[(int) length - values.size() * Integer.BYTES];
        int[] ends = new int[values.size()];
        int at = 0;
        for (int i = 0; i < ends.length; i++) {
            values.get(i).copyTo(bytes, at);
            at += values.get(i).length();
            ends[i] = at;
        }
        replace(slotOf(list, first), new Block(list, first, bytes, ends));
    }

    /** Call this before the row of the element at the position is put. */
    public void drop(long list, long position) {
        int slot = slotOf(list, position);
        Block block = slots.getAcquire(slot);
        if (block != null && block.covers(list, position, position + 1)) {
            remove(slot, block);
        }
    }

    /** Call this before rows of the list are written without naming their positions. */
    public void drop(long list) {
        for (int slot = 0; slot < slots.length(); slot++) {
            Block block = slots.getAcquire(slot);
            if (block != null && block.list == list) {
                remove(slot, block);
            }
        }
    }
}
