package io.polytable.store.memory;

import io.polytable.store.memory.flat.Hash;
import io.polytable.store.memory.flat.WholeTables;
import io.polytable.table.StoreException;
import io.polytable.table.write.EncodedRow;
import org.jspecify.annotations.Nullable;

/**
 * Eviction and compaction of the arena: frees chunks whose rows are all in the state. If the live rows fit into the
 * budget, it compacts like a copying collector: stale rows are dropped, live rows move to a chunk of hot rows.
 * Otherwise it evicts the oldest chunk with all its rows. Works in steps of a few thousand rows, because writers wait
 * meanwhile. Under the append mutex.
 */
final class Eviction {
    private static final int ROWS_A_STEP = 2048;

    /** Compaction starts only when stale bytes exceed half of the live bytes plus this share of the budget. */
    private static final int WASTE_SHARE = 64;

    private static final long WASTE_BYTES_MAX = 32L << 20;

    private final long budgetBytes;
    private final Arena arena;
    private final RowIndex index;
    private final HotRows hot;
    private final WholeTables whole;
    private final FreshRows fresh;
    private final RangeDeletes deletes;
    private final EncodedRow view = new EncodedRow();
    private @Nullable Chunk leaving;
    private boolean rescuing;
    private int nextRow;

    /** Chunks below this address must go, however much of them is live. */
    private long renewedBelow;

    Eviction(
            long budgetBytes,
            Arena arena,
            RowIndex index,
            HotRows hot,
            WholeTables whole,
            FreshRows fresh,
            RangeDeletes deletes) {
        this.budgetBytes = budgetBytes;
        this.arena = arena;
        this.index = index;
        this.hot = hot;
        this.whole = whole;
        this.fresh = fresh;
        this.deletes = deletes;
    }

    /** All memory held for rows. */
    long weight() {
        return arena.bytes() + index.bytes() + fresh.sideBytes() + arena.pins().sideBytes() + deletes.bytes();
    }

    /** Marks all present chunks for replacement. */
    void renewAll() {
        renewedBelow = arena.nextAddress();
    }

    /** Runs one step towards space for {@code wantedBytes} more; returns whether there may be more to do. */
    boolean step(@Nullable Chunk logging, long wantedBytes) {
        Chunk chunk = leaving;
        if (chunk == null) {
            chunk = choose(logging, wantedBytes);
            if (chunk == null) {
                return false;
            }
            leaving = chunk;
            nextRow = 0;
        }
        int end = Math.min(chunk.rows.size(), nextRow + ROWS_A_STEP);
        for (; nextRow < end; nextRow++) {
            evict(chunk, chunk.rows.get(nextRow));
        }
        if (nextRow == chunk.rows.size()) {
            arena.drop(chunk);
            leaving = null;
        }
        return true;
    }

    private @Nullable Chunk choose(@Nullable Chunk logging, long wantedBytes) {
        Chunk oldest = null;
        Chunk emptiest = null;
        long bytes = 0;
        long live = 0;
        rescuing = arena.liveBytes() < budgetBytes / 2;
        boolean comparing = rescuing && mayBeWasteful();
        for (Chunk chunk : arena.chunks()) {
            if (mayLeave(chunk, logging)) {
                oldest = oldest == null ? chunk : oldest;
                if (!comparing) {
                    break;
                }
                emptiest = emptiest == null || chunk.liveBytes < emptiest.liveBytes ? chunk : emptiest;
                bytes += chunk.bytes.length;
                live += chunk.liveBytes;
            }
        }
        if (oldest == null || oldest.address < renewedBelow) {
            return oldest;
        }
        if (comparing && isWasteful(bytes, live)) {
            return emptiest;
        }
        rescuing = false;
        return weight() + wantedBytes > budgetBytes ? oldest : null;
    }

    private boolean mayLeave(Chunk chunk, @Nullable Chunk logging) {
        return chunk.generation <= fresh.applied() && chunk != hot.filling() && chunk != logging;
    }

    /**
     * A cheap upper bound over all chunks, also those that may not leave yet: if even it is low, comparing each chunk
     * is pointless.
     */
    private boolean mayBeWasteful() {
        long mayNotLeave = fresh.bytes() + 2L * arena.addresses().unitBytes();
        long live = Math.max(0, arena.liveBytes() - mayNotLeave);
        return isWasteful(live + arena.bytes() - arena.liveBytes(), live);
    }

    private boolean isWasteful(long bytes, long live) {
        return bytes - live > live / 2 + Math.min(WASTE_BYTES_MAX, budgetBytes / WASTE_SHARE);
    }

    private void evict(Chunk chunk, int offset) {
        if (chunk.superseded.get(offset)) {
            return;
        }
        view.moveTo(chunk.bytes, offset);
        long hash = Hash.of(view);
        long place = arena.place(chunk, offset);
        if (view.op() != EncodedRow.PUT) {
            boolean unusedWas = index.remove(hash, place);
            return;
        }
        if (!index.holds(hash, place)) {
            return;
        }
        RangeTombstones covering = deletes.of(view.table());
        boolean hidden = !covering.isEmpty() && covering.hides(view.key(), chunk, offset);
        if (rescuing && !hidden && move(hash, chunk, offset)) {
            return;
        }
        if (!hidden) {
            whole.loses(view.table());
        }
        boolean unusedWas = index.remove(hash, place);
    }

    /** Returns whether the row found space elsewhere; if not it is evicted, since the state has it. */
    private boolean move(long hash, Chunk chunk, int offset) {
        try {
            hot.add(hash, chunk.bytes, offset, view.end() - offset);
            return true;
        } catch (StoreException full) {
            return false;
        }
    }
}
