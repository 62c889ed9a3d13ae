package io.polytable.store.memory;

import io.polytable.store.memory.flat.Hash;
import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.PartitionMap;
import io.polytable.store.memory.flat.Run;
import io.polytable.table.Bytes;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A memtable: a range of commits that is applied to the state as one. It grows under the append mutex until it is
 * sealed. It keeps its chunks readable for cursors after they left the arena. Within it a row is identified by its
 * <em>spot</em>: the distance of its address from the generation's first chunk, divided by four. Of two rows the later
 * has the higher spot, compared unsigned.
 */
public final class Generation {
    private static final int SPOT_SHIFT = 2;

    private final long number;
    private final RowList rows = new RowList();
    private final PartitionMap partitions = new PartitionMap();
    private final List<RangeTombstone> ranges = new ArrayList<>();
    private final long startedNanos = System.nanoTime();

    /** Indexed by the distance in units from the first chunk. */
    private volatile @Nullable Chunk[] chunks = new Chunk[4];

    /** The addresses of the first chunk and of the first row. */
    private volatile long base = Long.MAX_VALUE;

    private long firstAddress = Long.MAX_VALUE;

    /** One more than the highest spot. */
    private int end;

    /** The chunk being filled, and the offset up to which its bytes are counted in {@link #chunkBytes}. */
    private @Nullable Chunk filling;

    private int filledTo;

    /** The chunk bytes it uses: rows, the log's headers around them, and the unused ends of filled chunks. */
    private long chunkBytes;

    private long rangeBytes;
    private volatile long lastPosition;
    private volatile long lastTicket;
    private volatile boolean applyStarted;

    /** Whether an earlier attempt applied it in steps: the state may then hold rows that a later step deletes. */
    private boolean stepped;

    /** Runs sorted by scans, of whole tables and of single partitions. */
    private final Map<Integer, TableRuns> tableRuns = new ConcurrentHashMap<>();

    private final Map<PartitionRows.Name, PartitionRows.Sorted> partitionRuns = new ConcurrentHashMap<>();
    private final AtomicLong runBytes = new AtomicLong();

    /** Snapshots taken while this was the growing generation, in the order they were taken. */
    private final Set<MemorySnapshot> snapshots = new LinkedHashSet<>();

    /** The number of pins whose oldest generation this is. */
    private final AtomicInteger pins = new AtomicInteger();

    private final Addresses addresses;

    private Generation(long number, Addresses addresses) {
        this.number = number;
        this.addresses = addresses;
    }

    static Generation first(Addresses addresses) {
        return new Generation(1, addresses);
    }

    /** The next generation, after this one is sealed; the two may share a chunk. */
    Generation next() {
        Generation next = new Generation(number + 1, addresses);
        next.filling = filling;
        next.filledTo = filledTo;
        return next;
    }

    public long number() {
        return number;
    }

    /** Whether the chunk's rows can have a spot here. A generation that grows for long may run out of spots. */
    boolean reaches(Chunk chunk) {
        long chunkEnd = chunk.address + (long) chunk.units * addresses.unitBytes();
        return base == Long.MAX_VALUE || chunkEnd - base <= addresses.spanBytesMax();
    }

    /** Prepares for adding rows of the chunk. */
    void hold(Chunk chunk) {
        if (base == Long.MAX_VALUE) {
            base = chunk.address;
            firstAddress = chunk.address + chunk.end;
        }
        int at = (int) ((chunk.address - base) >>> addresses.unitShift());
        @Nullable Chunk[] next = chunks;
        if (at + chunk.units > next.length) {
            next = Arrays.copyOf(next, Math.max(at + chunk.units, next.length * 2));
        }
        Arrays.fill(next, at, at + chunk.units, chunk);
        chunk.generation = number;
        chunks = next;
        rows.hold(chunk);
        Chunk before = filling;
        // A chunk that was dropped meanwhile counts no unused end.
        chunkBytes += before == null || before == chunk ? 0 : Math.max(0, before.left());
        filling = chunk;
        filledTo = chunk.end;
    }

    int spot(Chunk chunk, int offset) {
        return (int) ((chunk.address + offset - base) >>> SPOT_SHIFT);
    }

    private Chunk chunkAt(int spot) {
        Chunk chunk = chunks[(int) (((spot & 0xffffffffL) << SPOT_SHIFT) >>> addresses.unitShift())];
        if (chunk == null) {
            throw new IllegalStateException("no row at this spot");
        }
        return chunk;
    }

    EncodedRow row(EncodedRow view, int spot) {
        Chunk chunk = chunkAt(spot);
        return view.moveTo(chunk.bytes, (int) (address(spot) - chunk.address));
    }

    long address(int spot) {
        return base + ((spot & 0xffffffffL) << SPOT_SHIFT);
    }

    /** Adds the row that was just written to the last held chunk. */
    void add(EncodedRow row, Chunk chunk, int offset) {
        int before = PartitionMap.NONE;
        if (row.partitionLength() > 0) {
            long hash = Hash.of(row.table(), row.array(), row.keyOffset(), row.partitionLength());
            before = partitions.put(hash, rows.size());
        }
        rows.add(before);
        reach(spot(chunk, offset));
    }

    /**
     * Marks a row as superseded by a newer row in this generation. If it belongs to this generation too, applying skips
     * it. Returns whether its key was born in this generation, which then also holds for the newer row.
     */
    boolean supersede(Chunk chunk, int offset) {
        boolean own = chunk.generation == number && chunk.address + offset >= firstAddress;
        if (own) {
            chunk.supersede(offset);
        }
        return own && chunk.born.get(offset);
    }

    void add(RangeTombstone tombstone) {
        ranges.add(tombstone);
        rangeBytes += tombstone.bytes();
        reach(spotOf(tombstone));
    }

    /** Range deletes are added before the record's rows, wherever they stand in it, so spots do not arrive in order. */
    private void reach(int spot) {
        if (Integer.compareUnsigned(spot, end) >= 0) {
            end = spot + 1;
        }
    }

    private int spotOf(RangeTombstone tombstone) {
        return (int) ((tombstone.address() - base) >>> SPOT_SHIFT);
    }

    void committed(long position, long ticket) {
        Chunk chunk = filling;
        if (chunk != null) {
            chunkBytes += chunk.end - filledTo;
            filledTo = chunk.end;
        }
        lastPosition = position;
        lastTicket = ticket;
    }

    public boolean isEmpty() {
        return lastPosition == 0;
    }

    public int size() {
        return rows.size();
    }

    RowList rows() {
        return rows;
    }

    /** Memory of its rows, their indexes and sorted runs. */
    public long bytes() {
        return chunkBytes + rangeBytes + (long) Integer.BYTES * rows.size() + sideBytes();
    }

    /** As {@link #bytes}, without the rows and their chunks' lists. */
    long sideBytes() {
        return rows.linkBytes() + partitions.bytes() + runBytes.get();
    }

    public long ageNanos() {
        return System.nanoTime() - startedNanos;
    }

    public long lastPosition() {
        return lastPosition;
    }

    public long lastTicket() {
        return lastTicket;
    }

    /** The range deletes at spots in [from, to), in commit order. Only for a sealed generation. */
    List<RangeTombstone> ranges(int from, int to) {
        return ranges.stream()
                .filter(range -> Integer.compareUnsigned(spotOf(range), from) >= 0
                        && Integer.compareUnsigned(spotOf(range), to) < 0)
                .toList();
    }

    /** Announces that the state may show rows of this generation from now on. */
    public void startApply() {
        applyStarted = true;
    }

    public boolean isApplyStarted() {
        return applyStarted;
    }

    AtomicInteger pins() {
        return pins;
    }

    /** The present extent. Under the append mutex. */
    Prefix prefix() {
        return new Prefix(this, rows.size(), end);
    }

    /** The partition's rows so far, if any. Under the append mutex. */
    Optional<PartitionRows> partition(long hash, int table, Bytes partition) {
        int newest = partitions.find(hash);
        return newest == PartitionMap.NONE
                ? Optional.empty()
                : Optional.of(new PartitionRows(this, table, partition, newest));
    }

    void opened(MemorySnapshot snapshot) {
        synchronized (snapshots) {
            snapshots.add(snapshot);
        }
    }

    void closed(MemorySnapshot snapshot) {
        synchronized (snapshots) {
            snapshots.remove(snapshot);
        }
    }

    /** The lowest end among the open snapshots, or {@code most} without any. */
    int oldestSnapshotEnd(int most) {
        synchronized (snapshots) {
            return snapshots.isEmpty() ? most : snapshots.iterator().next().end();
        }
    }

    /** Sorted runs of the table that contain at least the rows of the prefix. */
    List<Run> runs(int table, Prefix prefix) {
        return tableRuns.computeIfAbsent(table, id -> new TableRuns(this, id)).covering(prefix);
    }

    PartitionRows.Sorted sorted(PartitionRows.Name partition) {
        return partitionRuns.getOrDefault(partition, PartitionRows.Sorted.NOTHING);
    }

    /** Keeps the sorted runs for later scans, unless another scan kept more. */
    void keep(PartitionRows.Name partition, PartitionRows.Sorted sorted) {
        partitionRuns.merge(partition, sorted, (present, next) -> {
            boolean more = next.covered() > present.covered();
            countRuns(more ? -present.bytes() : -next.bytes());
            return more ? next : present;
        });
        countRuns(sorted.bytes());
    }

    void countRuns(long bytes) {
        runBytes.addAndGet(bytes);
    }

    /** The spots of the table's rows with numbers in [from, to). */
    IntList spotsOf(int table, int from, int to) {
        EncodedRow view = new EncodedRow();
        IntList spots = new IntList();
        rows.forEach(from, to, (chunk, offset) -> {
            if (view.moveTo(chunk.bytes, offset).table() == table) {
                spots.add(spot(chunk, offset));
            }
        });
        return spots;
    }

    /**
     * Passes the writes for the state to the action, in order: in one step, or in several that end where an open
     * snapshot ends, so that the state passes through exactly the content of each snapshot. Only for a sealed
     * generation.
     */
    public void forEachStep(Consumer<Step> action) {
        int[] ends = snapshotEnds();
        stepped |= ends.length > 0;
        Map<Integer, Run> sorted = sortAll(stepped, ends.length == 0 ? RowSorter.NEWEST : ends[0]);
        int from = 0;
        for (int to : ends) {
            action.accept(new Step(this, sorted, from, to));
            reached(to);
            from = to;
        }
        action.accept(new Step(this, sorted, from, end));
    }

    /** Notifies snapshots that end at the spot: the state now has all earlier generations, and this one up to the spot. */
    void reached(int spot) {
        List<MemorySnapshot> there;
        synchronized (snapshots) {
            there = snapshots.stream()
                    .filter(snapshot -> snapshot.end() == spot)
                    .toList();
        }
        there.forEach(MemorySnapshot::reached);
    }

    private int[] snapshotEnds() {
        synchronized (snapshots) {
            return snapshots.stream().mapToInt(MemorySnapshot::end).distinct().toArray();
        }
    }

    /** Each table's rows by key and age: all of them, or only those that change the state. */
    private Map<Integer, Run> sortAll(boolean all, int keepFrom) {
        EncodedRow view = new EncodedRow();
        Map<Integer, IntList> byTable = new TreeMap<>();
        rows.forEach(0, rows.size(), (chunk, offset) -> {
            if (all || !chunk.superseded.get(offset)) {
                view.moveTo(chunk.bytes, offset);
                // A key that was inserted and deleted within the generation never reached the state.
                if (all || view.op() != EncodedRow.DELETE || !chunk.born.get(offset)) {
                    byTable.computeIfAbsent(view.table(), unused -> new IntList())
                            .add(spot(chunk, offset));
                }
            }
        });
        RowSorter sorter = new RowSorter(this, Integer.MAX_VALUE, keepFrom);
        Map<Integer, Run> result = new TreeMap<>();
        byTable.forEach((table, spots) -> result.put(table, sorter.sort(spots.array(), 0, spots.size())));
        return result;
    }
}
