package io.polytable.store.memory;

import io.polytable.table.EncodedRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of commits that is applied to the state as one. It grows under the append mutex until it is sealed, and
 * keeps its chunks alive for cursors also after they left the arena.
 */
public final class Generation {
    private final List<Span> spans = new ArrayList<>();
    private final PartitionMap partitions = new PartitionMap();
    private final List<RangeTombstone> ranges = new ArrayList<>();
    private int firstUnit = -1;
    private final long startedNanos = System.nanoTime();

    /** By distance of the unit from the first one. */
    private volatile @Nullable Chunk[] chunks = new Chunk[4];

    /** The address of its first row. */
    private long firstAddress = Long.MAX_VALUE;

    private int size;
    private long bytes;
    private volatile long lastPosition;
    private volatile long lastTicket;
    private volatile boolean applyStarted;
    private volatile boolean applied;
    private @Nullable Map<Integer, Run> sorted;

    /** The rows of a chunk from one number up to another: two generations may share a chunk. */
    private static final class Span {
        private final Chunk chunk;
        private final int from;
        private int to;

        Span(Chunk chunk) {
            this.chunk = chunk;
            from = chunk.rows.size();
            to = from;
        }
    }

    /** Rows of the chunk are about to be added. */
    void hold(Chunk chunk) {
        if (firstUnit < 0) {
            firstUnit = Arena.unitOfPlace(Arena.place(chunk, 0));
        }
        int at = Arena.unitsBetween(firstUnit, Arena.unitOfPlace(Arena.place(chunk, 0)));
        @Nullable Chunk[] next = chunks;
        if (at + chunk.units > next.length) {
            next = Arrays.copyOf(next, Math.max(at + chunk.units, next.length * 2));
        }
        Arrays.fill(next, at, at + chunk.units, chunk);
        chunk.generation = this;
        chunks = next;
        firstAddress = Math.min(firstAddress, chunk.address + chunk.end);
        spans.add(new Span(chunk));
    }

    Chunk chunkAt(int place) {
        Chunk chunk = chunks[Arena.unitsBetween(firstUnit, Arena.unitOfPlace(place))];
        if (chunk == null) {
            throw new IllegalStateException("no row at this place");
        }
        return chunk;
    }

    EncodedRow row(EncodedRow view, int place) {
        Chunk chunk = chunkAt(place);
        return view.moveTo(chunk.bytes, Arena.offsetIn(chunk, place));
    }

    long address(int place) {
        Chunk chunk = chunkAt(place);
        return chunk.address + Arena.offsetIn(chunk, place);
    }

    /** Takes in the row that was just added to the last chunk it holds. */
    void add(EncodedRow row, int place) {
        Span last = spans.get(spans.size() - 1);
        last.to = last.chunk.rows.size();
        size++;
        bytes += row.keyLength() + row.valueLength();
        if (row.partitionLength() > 0) {
            long hash = Hash.of(row.table(), row.array(), row.keyOffset(), row.partitionLength());
            partitions.of(hash, row.partitionLength()).add(place);
        }
    }

    /**
     * The row at the place has a newer one of its key in this generation. If it is of this generation too, it need not be
     * sorted when the generation is applied.
     */
    void supersede(int place) {
        int at = Arena.unitsBetween(firstUnit, Arena.unitOfPlace(place));
        @Nullable Chunk[] own = chunks;
        Chunk chunk = at < own.length ? own[at] : null;
        if (chunk != null) {
            int offset = Arena.offsetIn(chunk, place);
            if (chunk.address + offset >= firstAddress) {
                chunk.superseded.set(offset);
            }
        }
    }

    void add(RangeTombstone tombstone) {
        ranges.add(tombstone);
    }

    void committed(long position, long ticket) {
        lastPosition = position;
        lastTicket = ticket;
    }

    public boolean isEmpty() {
        return lastPosition == 0;
    }

    public int size() {
        return size;
    }

    public long bytes() {
        return bytes;
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

    /** In the order they were committed. */
    public List<RangeTombstone> ranges() {
        return ranges;
    }

    /** From here on the state may show rows of this generation. */
    public void startApply() {
        applyStarted = true;
    }

    public boolean isApplyStarted() {
        return applyStarted;
    }

    void markApplied() {
        applied = true;
    }

    public boolean isApplied() {
        return applied;
    }

    /** What the partition holds so far; null for nothing. Under the append mutex. */
    FreshPartition.@Nullable Part partition(long hash) {
        FreshPartition partition = partitions.find(hash);
        return partition == null ? null : partition.part(this);
    }

    /** Each table's newest row changes, sorted by key. Only of a sealed generation; worked out once. */
    synchronized Map<Integer, Run> sorted() {
        Map<Integer, Run> result = sorted;
        if (result == null) {
            result = sortByTable();
            sorted = result;
        }
        return result;
    }

    /** The tables it has rows of. */
    public Set<Integer> tables() {
        return sorted().keySet();
    }

    /** Of each key of the table the newest row, unless a later range delete takes it away; the view moves on. */
    public void forEach(int table, Consumer<EncodedRow> action) {
        EncodedRow view = new EncodedRow();
        RangeTombstones later = RangeTombstones.of(
                ranges.stream().filter(range -> range.table() == table).toList());
        for (int place : sorted().getOrDefault(table, Run.EMPTY).places()) {
            row(view, place);
            if (later.isEmpty() || !later.hides(view.key(), address(place))) {
                action.accept(view);
            }
        }
    }

    private Map<Integer, Run> sortByTable() {
        EncodedRow view = new EncodedRow();
        Map<Integer, Places> byTable = new TreeMap<>();
        for (Span span : spans) {
            Chunk chunk = span.chunk;
            int[] places = chunk.rows.array();
            for (int i = span.from; i < span.to; i++) {
                int offset = Arena.offsetIn(chunk, places[i]);
                if (!chunk.superseded.get(offset)) {
                    int table = view.moveTo(chunk.bytes, offset).table();
                    byTable.computeIfAbsent(table, unused -> new Places()).add(places[i]);
                }
            }
        }
        RowSorter sorter = new RowSorter(this, Integer.MAX_VALUE);
        Map<Integer, Run> result = new TreeMap<>();
        byTable.forEach((table, places) -> result.put(table, sorter.sort(places.array(), 0, places.size())));
        return result;
    }
}
