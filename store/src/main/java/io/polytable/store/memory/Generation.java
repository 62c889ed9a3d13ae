package io.polytable.store.memory;

import io.polytable.store.memory.flat.Hash;
import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.PartitionMap;
import io.polytable.store.memory.flat.Run;
import io.polytable.table.Bytes;
import io.polytable.table.EncodedRow;
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
 * A stretch of commits that is applied to the state as one. It grows under the append mutex until it is sealed, and
 * keeps its chunks alive for cursors also after they left the arena. Inside it a row is named by its <em>spot</em>: how
 * far its address lies behind the generation's first chunk, divided by four. The later of two rows has the higher spot,
 * compared unsigned.
 */
public final class Generation {
    private static final int SPOT_SHIFT = 2;

    private final long number;
    private final RowList rows = new RowList();
    private final PartitionMap partitions = new PartitionMap();
    private final List<RangeTombstone> ranges = new ArrayList<>();
    private final long startedNanos = System.nanoTime();

    /** By distance of the unit from the first one. */
    private volatile @Nullable Chunk[] chunks = new Chunk[4];

    /** The address of the first chunk, and of the first row. */
    private volatile long base = Long.MAX_VALUE;

    private long firstAddress = Long.MAX_VALUE;

    /** Beyond the last row's spot. */
    private int end;

    /** The chunk that grows, up to where this generation counted it. */
    private @Nullable Chunk filling;

    private int filledTo;

    /** What it fills of chunks: rows, what the log wants around them, and what is left of a chunk when it goes to the next. */
    private long chunkBytes;

    private long rangeBytes;
    private volatile long lastPosition;
    private volatile long lastTicket;
    private volatile boolean applyStarted;

    /** Whether it was tried to apply it in steps: the state may hold rows then that a later step deletes. */
    private boolean stepped;

    /** What scans have sorted, whole tables and single partitions. */
    private final Map<Integer, TableRuns> tableRuns = new ConcurrentHashMap<>();

    private final Map<PartitionRows.Name, PartitionRows.Sorted> partitionRuns = new ConcurrentHashMap<>();
    private final AtomicLong runBytes = new AtomicLong();

    /** Who looks at this generation as of a moment when it was still growing, in the order of those moments. */
    private final Set<Moment> moments = new LinkedHashSet<>();

    /** Whose oldest generation this is. */
    private final AtomicInteger pins = new AtomicInteger();

    private final Addresses addresses;

    private Generation(long number, Addresses addresses) {
        this.number = number;
        this.addresses = addresses;
    }

    static Generation first(Addresses addresses) {
        return new Generation(1, addresses);
    }

    /** The generation behind this one, which is sealed; they may share a chunk. */
    Generation next() {
        Generation next = new Generation(number + 1, addresses);
        next.filling = filling;
        next.filledTo = filledTo;
        return next;
    }

    public long number() {
        return number;
    }

    /** Whether the chunk is near enough for its rows to have a spot. It may not be, where a generation grows for long. */
    boolean reaches(Chunk chunk) {
        long chunkEnd = chunk.address + (long) chunk.units * addresses.unitBytes();
        return base == Long.MAX_VALUE || chunkEnd - base <= addresses.spanBytesMax();
    }

    /** Rows of the chunk are about to be added. */
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
        // A chunk that left memory meanwhile has nothing left.
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

    /** Takes in the row that was just added to the last chunk it holds. */
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
     * The row has a newer one of its key in this generation. If it is of this generation too, it need not be sorted when
     * the generation is applied. Answers whether it was born in this generation, as is the newer one then.
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

    /** A record's range deletes come before its rows, wherever they stand in it. */
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

    /** What its rows take of memory, and everything by which they are found and sorted. */
    public long bytes() {
        return chunkBytes + rangeBytes + (long) Integer.BYTES * rows.size() + sideBytes();
    }

    /** Without the rows themselves and their chunks' lists. */
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

    /** The range deletes at spots from one up to another, in the order they were committed. Only of a sealed generation. */
    List<RangeTombstone> ranges(int from, int to) {
        return ranges.stream()
                .filter(range -> Integer.compareUnsigned(spotOf(range), from) >= 0
                        && Integer.compareUnsigned(spotOf(range), to) < 0)
                .toList();
    }

    /** From here on the state may show rows of this generation. */
    public void startApply() {
        applyStarted = true;
    }

    public boolean isApplyStarted() {
        return applyStarted;
    }

    AtomicInteger pins() {
        return pins;
    }

    /** The rows there are now. Under the append mutex. */
    Prefix prefix() {
        return new Prefix(this, rows.size(), end);
    }

    /** What the partition holds so far, if anything. Under the append mutex. */
    Optional<PartitionRows> partition(long hash, int table, Bytes partition) {
        int newest = partitions.find(hash);
        return newest == PartitionMap.NONE
                ? Optional.empty()
                : Optional.of(new PartitionRows(this, table, partition, newest));
    }

    void opened(Moment moment) {
        synchronized (moments) {
            moments.add(moment);
        }
    }

    void closed(Moment moment) {
        synchronized (moments) {
            moments.remove(moment);
        }
    }

    /** The lowest end of a prefix that someone looks at, but no more than {@code most}. */
    int oldestMoment(int most) {
        synchronized (moments) {
            return moments.isEmpty() ? most : moments.iterator().next().end();
        }
    }

    /** The table's rows, sorted, all those of a prefix of this generation among them. */
    List<Run> runs(int table, Prefix prefix) {
        return tableRuns.computeIfAbsent(table, id -> new TableRuns(this, id)).covering(prefix);
    }

    PartitionRows.Sorted sorted(PartitionRows.Name partition) {
        return partitionRuns.getOrDefault(partition, PartitionRows.Sorted.NOTHING);
    }

    /** Keeps what was sorted, unless another scan has kept more. */
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

    /** The spots of the table's rows from one number up to another. */
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
     * Takes the action for what is to be written to the state, in order: all at once, or in steps that end where someone looks
     * at the rows as of. Only of a sealed generation.
     */
    public void forEachStep(Consumer<Step> action) {
        int[] ends = momentEnds();
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

    /** The state has what comes before this generation, and of this one all that lies below the spot. */
    void reached(int spot) {
        List<Moment> there;
        synchronized (moments) {
            there = moments.stream().filter(moment -> moment.end() == spot).toList();
        }
        there.forEach(Moment::reached);
    }

    private int[] momentEnds() {
        synchronized (moments) {
            return moments.stream().mapToInt(Moment::end).distinct().toArray();
        }
    }

    /** Each table's row changes, by key and age; all of them, or only those that make a difference to the state. */
    private Map<Integer, Run> sortAll(boolean all, int keepFrom) {
        EncodedRow view = new EncodedRow();
        Map<Integer, IntList> byTable = new TreeMap<>();
        rows.forEach(0, rows.size(), (chunk, offset) -> {
            if (all || !chunk.superseded.get(offset)) {
                view.moveTo(chunk.bytes, offset);
                // What came and went within the generation never was in the state.
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
