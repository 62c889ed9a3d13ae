package io.polytable.store.memory;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.memory.flat.Hash;
import io.polytable.store.memory.flat.WholeTables;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.EncodedRow;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The rows in memory, fresh and hot, as the engine uses them. Methods that change it, and {@link #capture}, are called
 * under the engine's append mutex; {@link #find} by anyone, without a lock.
 *
 * <p>Readers rely on the order in which things change. What hides rows is there before the rows need hiding: a tombstone
 * before its commit returns, the loss of a whole table before its first row leaves. What hid them goes after they went: a
 * tombstone after the last row that it hides. {@link #newestShown()} moves before the first row of a record can be seen.
 * The fill stamp changes after what it warns of. A reader reads the same things in the opposite order: the stamp first.
 */
public final class RowMemory {
    /** A row of a larger share of a chunk is not worth a place in the cache. */
    private static final int CACHED_SHARE = 16;

    /**
     * Tombstones beyond this share of the budget make rows move, or go, so that no older row is left for them to hide. All
     * rows move then, which must not happen for each generation.
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

    /** Makes the index. */
    interface NewIndex {
        RowIndex make(Arena arena, long budgetBytes);
    }

    /** For tests: with few addresses, and with an index that lets things happen in the middle of a read. */
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

    /** Lays the batch out as the record at the position and shows its rows to readers. */
    public void append(Batch batch, long position, long ticket) {
        Chunk chunk = chunkFor(batch.sizeBytes());
        int rows = log.add(chunk, batch, position, ticket);
        newestShown.setRelease(position);
        publish(chunk, rows, rows + (int) batch.sizeBytes(), batch.rangeDeletes() > 0);
        active().committed(position, ticket);
    }

    /** Shows the rows of a record that the log has already. */
    public void replay(byte[] array, int offset, int length, long position, long ticket) {
        Chunk chunk = chunkFor(length);
        int rows = log.addLogged(chunk, array, offset, length);
        newestShown.setRelease(position);
        publish(chunk, rows, rows + length, true);
        active().committed(position, ticket);
    }

    /**
     * The position of the newest record that a reader may have seen a row of, though its commit may not have returned
     * yet; 0 before the first. Ask after reading.
     */
    public long newestShown() {
        return newestShown.getAcquire();
    }

    private Chunk chunkFor(long bytes) {
        // A large record makes its room first: on top of full memory it could be more than the heap has.
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
            // A row that a range delete of the same record takes away again is never shown to anybody.
            if (view.op() != EncodedRow.DELETE_RANGE && !(deletesRanges && isDeletedAgain(chunk, at))) {
                chunk.add(at);
                generation.add(view, chunk, at);
                if (isBorn(index.put(Hash.of(view), arena.place(chunk, at), view), generation)) {
                    chunk.bear(at);
                }
                if (view.op() == EncodedRow.PUT) {
                    arena.countLive(chunk, view.end() - at);
                }
            }
        }
    }

    /** Whether the view's key had no row when the generation began; the row before, if there is one, is superseded. */
    private boolean isBorn(long before, Generation generation) {
        Chunk chunk = before == RowIndex.NONE ? null : arena.chunkAt(before);
        return chunk == null
                ? before == RowIndex.NONE && whole.has(view.table())
                : generation.supersede(chunk, arena.offsetIn(chunk, before));
    }

    /** Before the record's rows; answers whether it has any. */
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

    /** What memory knows of a key. */
    public enum Known {
        /** Nothing: ask the state. */
        NOTHING,
        ABSENT,
        PRESENT
    }

    /**
     * A key's row in memory.
     *
     * @param stamp from before the look, where nothing is known: what {@link #fill} wants with the state's answer
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
            // All before the row: a range delete after the stamp voids it, a tombstone goes only after the rows it
            // hides.
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
            // Evicted or moved since: look again.
        }
    }

    /** To be taken before rows are read from the state that shall be cached, and before memory is asked for them. */
    public long fillStamp() {
        return fillStamp.get();
    }

    /**
     * Keeps what the state answered, also that it has no such row, unless anything happened meanwhile that could make it
     * stale. To find out that a key is absent costs RocksDB a look at every file; many keys are asked for in vain again
     * and again. Answers whether memory knows the key now.
     */
    public boolean fill(long stamp, Table table, Bytes key, Optional<Bytes> value) {
        int bytes = key.length() + value.map(Bytes::length).orElse(0);
        if (stamp != fillStamp.get() || bytes > unitBytes / CACHED_SHARE || budgetBytes == 0) {
            return false;
        }
        RowKey row = new RowKey(key, 0);
        fillBatch.clear();
        value.ifPresentOrElse(present -> fillBatch.putStored(table, row, present), () -> fillBatch.delete(table, row));
        long hash = Hash.of(table.id(), key.array(), key.offset(), key.length());
        if (index.find(hash, table.id(), key.array(), key.offset(), key.length()) != RowIndex.NONE) {
            return true;
        }
        try {
            hot.add(hash, fillBatch);
            return true;
        } catch (StoreException full) {
            // What cannot be kept is read from the state again.
            return false;
        }
    }

    private Generation active() {
        return fresh.growing();
    }

    /** The generation that grows. */
    public Generation growing() {
        return active();
    }

    /** Sealed generations that the state does not have yet. */
    public int sealedCount() {
        return fresh.sealedCount();
    }

    /** The oldest sealed generation, if there is one. */
    public Optional<Generation> oldestSealed() {
        return fresh.oldestSealed();
    }

    /** Starts a new generation, unless the present one is empty. */
    public void seal() {
        fresh.seal();
    }

    /**
     * What the state does not have yet takes so much memory, with all that is kept to find and sort it; and so do rows that the
     * state has and someone looks at as of an earlier moment. None of it can be let go, so it must not grow without bound.
     */
    public long freshBytes() {
        return fresh.bytes() + arena.pinnedBytes() + arena.pins().sideBytes();
    }

    /** The oldest generation is in the state: its rows may go when memory is wanted. */
    public void applied(Generation generation) {
        fresh.applied(generation);
        retireTombstones();
    }

    /** After a generation was applied: tells who looks at nothing beyond it. Not under the append mutex. */
    public void reachedMoments() {
        fresh.oldest().reached(0);
    }

    /** Of chunks that left and that someone looks at as of an earlier moment. */
    public long pinnedBytes() {
        return arena.pinnedBytes();
    }

    /** Of range deletes, whether the state has them or not. */
    long rangeDeleteBytes() {
        return deletes.bytes();
    }

    /** Memory has every row of the table, of which there may be none, as long as none has to go. */
    public void knowsAll(int table) {
        whole.add(table);
    }

    public boolean isWhole(int table) {
        return whole.has(table);
    }

    /** How many tables memory has every row of. */
    public int wholeTables() {
        return whole.count();
    }

    /** For rows. */
    public long budgetBytes() {
        return budgetBytes;
    }

    /**
     * Lets some old rows go if memory is over its budget, or some that are out of date if they are many; answers whether
     * there may be more to do.
     */
    public boolean trim() {
        return trim(0);
    }

    /** As {@link #trim()}, but only if memory is over its budget: quick to call again and again. */
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
        // Who reads many rows of the state, as of a moment, may still meet some that a tombstone hid until now.
        fillStamp.incrementAndGet();
        if (deletes.bytes() > Math.max(TOMBSTONES_BYTES_MIN, budgetBytes / TOMBSTONES_SHARE)) {
            // Memory without rows older than the tombstones needs none of them.
            hot.close();
            log.leaveChunk();
            eviction.renewAll();
        }
    }

    /** Tombstones that the state has, and that no row in memory is older than. */
    private Predicate<RangeTombstone> idle(long oldestLogged, long oldestCached) {
        long applied = fresh.applied();
        return tombstone -> tombstone.generation() <= applied
                && tombstone.address() <= oldestLogged
                && tombstone.cacheAddress() <= oldestCached;
    }

    /** What a cursor over one table needs of memory, as of now. Writers wait meanwhile: nothing is copied or looked through. */
    public Capture capture(int table, Bytes partition) {
        long hash = Hash.of(table, partition.array(), partition.offset(), partition.length());
        List<PartitionRows> parts = fresh.partition(hash, table, partition);
        return new Capture(active(), parts, deletes.of(table), fresh.applied(), fresh.pin());
    }

    /** All fresh rows as of now. */
    public Moment moment() {
        return new Moment(fresh.prefixes(), deletes.now(), fresh.pin());
    }

    public long bytes() {
        return eviction.weight();
    }

    public long rows() {
        return index.size();
    }
}
