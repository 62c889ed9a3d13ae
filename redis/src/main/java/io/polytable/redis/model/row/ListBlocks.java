package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the elements of dense lists, in blocks of neighbouring positions. A range that is read again needs no lookup
 * of each element's row, which is a hash, two cache misses and some ten objects.
 *
 * <p>A block is never stale. Calls on one list run one after the other, since each holds its key's stripe, and whoever puts
 * an element's row drops the block first. A removed element may stay in its block: nobody asks for a position that the
 * header does not name, and a push that uses the position again drops the block. Blocks are filled only by a unit of work
 * that has written nothing, so from committed rows.
 *
 * <p>Bounded by construction: so many slots, each of a block of so many bytes.
 */
public final class ListBlocks {
    /** Positions in a block. */
    public static final int POSITIONS = 64;

    /** Answered where positions are not here. */
    public static final long NOT_KEPT = -1;

    /** Of an element in a reply, besides its bytes. */
    private static final int OBJECT_BYTES = 80;

    private static final int BLOCK_BYTES_MAX = 16 << 10;

    /** Of the heap: what all blocks together may take. */
    private static final int HEAP_SHARE = 64;

    private static final int SLOTS_MIN = 64;
    private static final int SLOTS_MAX = 8192;

    private final AtomicReferenceArray<@Nullable Block> slots;

    public ListBlocks() {
        long fitting = Runtime.getRuntime().maxMemory() / HEAP_SHARE / BLOCK_BYTES_MAX;
        int count = (int) Math.max(SLOTS_MIN, Math.min(SLOTS_MAX, fitting));
        slots = new AtomicReferenceArray<>(Integer.highestOneBit(count));
    }

    /** Consecutive elements of a list from a position on, one behind the other in an array. */
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

    /** The first position of the block that the position is in. */
    public static long startOf(long position) {
        return position & -POSITIONS;
    }

    private int slotOf(long list, long position) {
        long mixed = list * 0x9e3779b97f4a7c15L + Math.floorDiv(position, POSITIONS);
        return (int) (mixed ^ (mixed >>> 32)) & (slots.length() - 1);
    }

    /** Adds the elements at positions of one block, if they are here, and answers what they take of memory in a reply. */
    public long addTo(List<Bytes> target, long list, long from, long to) {
        Block block = slots.getAcquire(slotOf(list, from));
        return block == null || !block.covers(list, from, to) ? NOT_KEPT : block.addTo(target, from, to);
    }

    /** Keeps a copy of the elements, which are in one block, unless they are too long. */
    public void keep(long list, long first, List<Bytes> values) {
        long length = 0;
        for (Bytes value : values) {
            length += value.length() + Integer.BYTES;
        }
        if (length > BLOCK_BYTES_MAX) {
            return;
        }
        // A copy: a view would keep a whole chunk of rows from being given back.
        byte[] bytes = new byte[(int) length - values.size() * Integer.BYTES];
        int[] ends = new int[values.size()];
        int at = 0;
        for (int i = 0; i < ends.length; i++) {
            values.get(i).copyTo(bytes, at);
            at += values.get(i).length();
            ends[i] = at;
        }
        slots.setRelease(slotOf(list, first), new Block(list, first, bytes, ends));
    }

    /** To be called before the row of the element at the position is put. */
    public void drop(long list, long position) {
        int slot = slotOf(list, position);
        Block block = slots.getAcquire(slot);
        if (block != null && block.covers(list, position, position + 1)) {
            // Another list's block that came meanwhile stays.
            boolean unusedDropped = slots.compareAndSet(slot, block, null);
        }
    }

    /** To be called before rows of the list are written by someone who does not name their positions. */
    public void drop(long list) {
        for (int slot = 0; slot < slots.length(); slot++) {
            Block block = slots.getAcquire(slot);
            if (block != null && block.list == list) {
                boolean unusedDropped = slots.compareAndSet(slot, block, null);
            }
        }
    }
}
