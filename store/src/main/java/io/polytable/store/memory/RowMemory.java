package io.polytable.store.memory;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.memory.flat.Hash;
import io.polytable.store.memory.flat.WholeTables;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * All rows in memory: memtables (fresh rows) and row cache (hot rows) in one arena with one index. Methods that change
 * it, and {@link #snapshot}, are called under the engine's append mutex; {@link #find} is lock-free.
 *
 * <p>Lock-free readers rely on the order of changes. What hides rows is published before they need hiding: a tombstone
 * before its commit returns, the end of a table's wholeness before its first row is evicted. It is withdrawn only after
 * those rows are gone: a tombstone after the last row that it hides. {@link #newestShown()} advances before the first
 * row of a record becomes visible. The fill stamp changes after what it guards against. A reader reads in the opposite
 * order: the stamp first.
 */
public final class RowMemory {
    /** Rows larger than this share of a chunk are not cached. */
    private static final int CACHED_SHARE = 16;

    /**
     * Tombstones beyond this share of the budget trigger a rewrite of all chunks, after which no older row is left for
     * them to hide. It moves every row, so it must not happen for each generation.
     */
    private static final int TOMBSTONES_SHARE = 64;

    private static final long TOMBSTONES_BYTES_MIN = 64 << 10;

    private final long budgetBytes;
    private final Arena arena;
    private final int unitBytes;
    private final RowIndex index;
    private final HotRows hot;
    private final WholeTables whole = new WholeTables();
    private final Eviction eviction;
    private final LogBuffer log;
    private final Batch fillBatch = new Batch();
    private final EncodedRow view = new EncodedRow();
    private final FreshRows fresh;
    private final RangeDeletes deletes = new RangeDeletes();
    private final AtomicLong fillStamp = new AtomicLong();
    private final AtomicLong newestShown = new AtomicLong();

    public RowMemory(long budgetBytes) {
        this(budgetBytes, Addresses.DEFAULT, RowIndex::new);
    }

    interface NewIndex {
        RowIndex make(Arena arena, long budgetBytes);
    }

    /** For tests: with few addresses, and with an index that can interrupt a read. */
    RowMemory(long budgetBytes, Addresses addresses, NewIndex newIndex) {
        this.budgetBytes = Math.min(budgetBytes, addresses.budgetBytesMax());
        arena = new Arena(addresses);
        unitBytes = addresses.unitBytes();
        log = new LogBuffer(arena);
        fresh = new FreshRows(arena);
        index = newIndex.make(arena, this.budgetBytes);
        hot = new HotRows(arena, index);
        eviction = new Eviction(this.budgetBytes, arena, index, hot, whole, fresh, deletes);
    }

    /** Writes the batch into the log buffer as the record at the position and makes its rows visible. */
    public void append(Batch batch, long position, long ticket) {
        Chunk chunk = chunkFor(batch.sizeBytes());
        int rows = log.add(chunk, batch, position, ticket);
        newestShown.setRelease(position);
        publish(chunk, rows, rows + (int) batch.sizeBytes(), batch.rangeDeletes() > 0);
        active().committed(position, ticket);
    }

    /** Makes the rows of a record visible that the log already has. */
    public void replay(byte[] array, int offset, int length, long position, long ticket) {
        Chunk chunk = chunkFor(length);
        int rows = log.addLogged(chunk, array, offset, length);
        newestShown.setRelease(position);
        publish(chunk, rows, rows + length, true);
        active().committed(position, ticket);
    }

    /**
     * The newest record of which a reader may have seen a row, even though its commit may not have returned yet; 0
     * before the first. Ask after reading.
     */
    public long newestShown() {
        return newestShown.getAcquire();
    }

    private Chunk chunkFor(long bytes) {
        // Evicts for a large record first: on top of full memory it could exceed the heap.
        boolean more = bytes > unitBytes;
        while (more && eviction.weight() + bytes > budgetBytes) {
            more = trim(bytes);
        }
        Chunk chunk = log.chunkFor(bytes);
        if (chunk.generation != active().number()) {
            if (!active().reaches(chunk)) {
                fresh.seal();
            }
            active().hold(chunk);
        }
        return chunk;
    }

    private void publish(Chunk chunk, int from, int to, boolean mayDeleteRanges) {
        Generation generation = active();
        boolean deletesRanges = mayDeleteRanges && publishRangeDeletes(chunk, from, to);
        for (int at = from; at < to; at = view.end()) {
            view.moveTo(chunk.bytes, at);
            // A row that a range delete of the same record covers is never visible.
            if (view.op() != EncodedRow.DELETE_RANGE && !(deletesRanges && isDeletedAgain(chunk, at))) {
                chunk.add(at);
                generation.add(view, chunk, at);
                if (isBorn(index.put(Hash.of(view), arena.place(chunk, at), view), generation)) {
                    chunk.markBorn(at);
                }
                if (view.op() == EncodedRow.PUT) {
                    arena.countLive(chunk, view.end() - at);
                }
            }
        }
    }

    /** Whether the row's key had no row when the generation began. Marks the previous row, if any, as superseded. */
    private boolean isBorn(long before, Generation generation) {
        Chunk chunk = before == RowIndex.NONE ? null : arena.chunkAt(before);
        return chunk == null
                ? before == RowIndex.NONE && whole.has(view.table())
                : generation.supersede(chunk, arena.offsetIn(chunk, before));
    }

    /** Adds the record's range deletes, before its rows; returns whether it has any. */
    private boolean publishRangeDeletes(Chunk chunk, int from, int to) {
        boolean any = false;
        for (int at = from; at < to; at = view.end()) {
            view.moveTo(chunk.bytes, at);
            if (view.op() == EncodedRow.DELETE_RANGE) {
                addTombstone(chunk.address + at, active());
                any = true;
            }
        }
        return any;
    }

    private boolean isDeletedAgain(Chunk chunk, int at) {
        return deletes.of(view.table()).hides(view.key(), chunk.address + at);
    }

    private void addTombstone(long address, Generation generation) {
        RangeTombstone tombstone = new RangeTombstone(
                view.table(), view.key().copy(), view.value().copy(), address, hot.nextAddress(), generation.number());
        generation.add(tombstone);
        deletes.add(tombstone);
        fillStamp.incrementAndGet();
    }

    /** The result of a lookup in memory. */
    public enum Known {
        /** Unknown: ask the state. */
        NOTHING,
        ABSENT,
        PRESENT
    }

    /**
     * A lookup's result.
     *
     * @param stamp the fill stamp from before the lookup if nothing is known: {@link #fill} needs it with the state's
     *     answer
     */
    public record Found(Known known, Bytes value, long stamp) {
        static final Found ABSENT = new Found(Known.ABSENT, Bytes.EMPTY, 0);

        static Found present(Bytes value) {
            return new Found(Known.PRESENT, value, 0);
        }

        static Found nothing(long stamp) {
            return new Found(Known.NOTHING, Bytes.EMPTY, stamp);
        }
    }

    public Found find(int table, Bytes key) {
        long hash = Hash.of(table, key.array(), key.offset(), key.length());
        while (true) {
            // Read all three before the row: a range delete after the stamp voids it, and a tombstone is withdrawn only
            // after the rows it hides.
            long stamp = fillStamp.get();
            RangeTombstones covering = deletes.of(table);
            boolean[] wholeThen = whole.now();
            long place = index.find(hash, table, key.array(), key.offset(), key.length());
            if (place == RowIndex.NONE) {
                boolean hidden = !covering.isEmpty() && covering.hidesState(key, fresh.applied());
                return hidden || whole.hasSince(wholeThen, table) ? Found.ABSENT : Found.nothing(stamp);
            }
            Chunk chunk = arena.chunkAt(place);
            byte[] rows = chunk == null ? Chunk.GONE : chunk.bytes;
            if (chunk != null && rows != Chunk.GONE) {
                int at = arena.offsetIn(chunk, place);
                boolean hidden = !covering.isEmpty() && covering.hides(key, chunk, at);
                return hidden || rows[at] == EncodedRow.DELETE
                        ? Found.ABSENT
                        : Found.present(EncodedRow.valueAt(rows, at));
            }
            // Evicted or moved meanwhile: look again.
        }
    }

    /** Take it before looking the rows up in memory and reading them from the state, if they are to be cached. */
    public long fillStamp() {
        return fillStamp.get();
    }

    /**
     * Caches the state's answer, absence included, unless something happened since the stamp that could make it stale.
     * Absence is worth caching: RocksDB must check every file for it, and the same missing keys are often asked for
     * repeatedly. Returns whether memory knows the key now.
     */
    public boolean fill(long stamp, Table table, Bytes key, Optional<Bytes> value) {
        int bytes = key.length() + value.map(Bytes::length).orElse(0);
        if (stamp != fillStamp.get() || bytes > unitBytes / CACHED_SHARE || budgetBytes == 0) {
            return false;
        }
        RowKey row = new RowKey(key, 0);
        fillBatch.clear();
        value.ifPresentOrElse(present -> fillBatch.put(table, row, present), () -> fillBatch.delete(table, row));
        long hash = Hash.of(table.id(), key.array(), key.offset(), key.length());
        if (index.find(hash, table.id(), key.array(), key.offset(), key.length()) != RowIndex.NONE) {
            return true;
        }
        try {
            hot.add(hash, fillBatch);
            return true;
        } catch (StoreException full) {
            // Without space the row is simply read from the state again.
            return false;
        }
    }

    private Generation active() {
        return fresh.growing();
    }

    public Generation growing() {
        return active();
    }

    /** The number of sealed generations not yet applied. */
    public int sealedCount() {
        return fresh.sealedCount();
    }

    public Optional<Generation> oldestSealed() {
        return fresh.oldestSealed();
    }

    /** Seals the growing generation and starts a new one, unless it is empty. */
    public void seal() {
        fresh.seal();
    }

    /**
     * Memory that cannot be evicted: rows not yet applied with their indexes and runs, and applied rows that snapshots
     * pin. It must not grow without bound.
     */
    public long freshBytes() {
        return fresh.bytes() + arena.pinnedBytes() + arena.pins().sideBytes();
    }

    /** Called when the oldest generation was applied: its rows may be evicted now. */
    public void applied(Generation generation) {
        fresh.applied(generation);
        retireTombstones();
    }

    /**
     * Call after a generation was applied: notifies snapshots that show nothing beyond it. Not under the append mutex.
     */
    public void notifyReachedSnapshots() {
        fresh.oldest().reached(0);
    }

    /** Bytes of dropped chunks that snapshots still pin. */
    public long pinnedBytes() {
        return arena.pinnedBytes();
    }

    /** Memory of all range tombstones, applied or not. */
    long rangeDeleteBytes() {
        return deletes.bytes();
    }

    /** Declares the table whole: memory has every row of it, until one is evicted. */
    public void markWhole(int table) {
        whole.add(table);
    }

    public boolean isWhole(int table) {
        return whole.has(table);
    }

    /** The number of whole tables. */
    public int wholeTables() {
        return whole.count();
    }

    public long budgetBytes() {
        return budgetBytes;
    }

    /**
     * Runs one step of eviction if memory is over budget, or of compaction if many rows are stale; returns whether
     * there may be more to do.
     */
    public boolean trim() {
        return trim(0);
    }

    /** As {@link #trim()}, but only over budget: cheap to call often. */
    public boolean trimIfFull() {
        return eviction.weight() > budgetBytes && trim();
    }

    private boolean trim(long wantedBytes) {
        arena.unpin();
        boolean any = eviction.step(log.chunk(), wantedBytes);
        if (any) {
            fillStamp.incrementAndGet();
        }
        return any;
    }

    public List<RecordBatch> takeBatches() {
        return log.take();
    }

    public long waitingBytes() {
        return log.waitingBytes();
    }

    private void retireTombstones() {
        if (deletes.bytes() == 0) {
            return;
        }
        long oldestLogged = Long.MAX_VALUE;
        long oldestCached = Long.MAX_VALUE;
        for (Chunk chunk : arena.chunks()) {
            oldestLogged = chunk.isCache() ? oldestLogged : Math.min(oldestLogged, chunk.address);
            oldestCached = chunk.isCache() ? Math.min(oldestCached, chunk.address) : oldestCached;
        }
        deletes.remove(idle(oldestLogged, oldestCached));
        // A bulk reader of the state that uses an older snapshot may still meet rows that a tombstone hid until now.
        fillStamp.incrementAndGet();
        if (deletes.bytes() > Math.max(TOMBSTONES_BYTES_MIN, budgetBytes / TOMBSTONES_SHARE)) {
            // Once no row in memory is older than the tombstones, none of them is needed.
            hot.close();
            log.leaveChunk();
            eviction.renewAll();
        }
    }

    /** Tombstones that are applied and older than every row in memory. */
    private Predicate<RangeTombstone> idle(long oldestLogged, long oldestCached) {
        long applied = fresh.applied();
        return tombstone -> tombstone.generation() <= applied
                && tombstone.address() <= oldestLogged
                && tombstone.cacheAddress() <= oldestCached;
    }

    /** The fresh rows of one partition, as of now. Writers wait meanwhile, so it copies and searches nothing. */
    public PartitionSnapshot snapshot(int table, Bytes partition) {
        long hash = Hash.of(table, partition.array(), partition.offset(), partition.length());
        List<PartitionRows> parts = fresh.partition(hash, table, partition);
        return new PartitionSnapshot(active(), parts, deletes.of(table), fresh.applied(), fresh.pin());
    }

    /** All fresh rows, as of now. */
    public MemorySnapshot snapshot() {
        return new MemorySnapshot(fresh.prefixes(), deletes.now(), fresh.pin());
    }

    public long bytes() {
        return eviction.weight();
    }

    public long rows() {
        return index.size();
    }
}
