package io.polytable.store.memory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chunks in the order they were taken. A row's <em>place</em> is its address divided by four, modulo 2^32: with 16 GiB
 * of addresses no two rows that live at the same time share one. All changes happen under the engine's append mutex;
 * {@link #chunkAt} may be called by anyone.
 */
public final class Arena {
    static final int UNIT_BYTES = 1 << 20;

    /**
     * An array of a whole unit would, with its header, be just too large for one region of the G1 collector and take two.
     */
    private static final int ARRAY_BYTES = UNIT_BYTES - 64;

    private static final int UNIT_SHIFT = 20;
    private static final int UNITS = 1 << 14;
    private static final int PLACE_SHIFT = 2;
    private static final long OLD_BYTES = (long) UNITS * UNIT_BYTES / 2;

    /** Rows of more bytes could not be moved to newer addresses before those come round to them. */
    static final long BUDGET_BYTES_MAX = OLD_BYTES / 4 * 3;

    private final AtomicReferenceArray<@Nullable Chunk> ring = new AtomicReferenceArray<>(UNITS);
    private final ArrayDeque<Chunk> live = new ArrayDeque<>();
    private final Pins pins = new Pins();

    /** Chunks that left and that someone may still look at, in the order they left. */
    private final ArrayDeque<Chunk> pinned = new ArrayDeque<>();

    private final AtomicLong pinnedBytes = new AtomicLong();
    private long nextAddress;
    private long bytes;
    private long liveBytes;

    /** A chunk for at least so many bytes. */
    Chunk take(int least) {
        int units = Math.max(1, (int) (((long) least + UNIT_BYTES - 1) >> UNIT_SHIFT));
        // A record larger than a unit gets an array of just its size: the rest of its last unit stays without memory.
        Chunk chunk = new Chunk(newArray(Math.max(least, ARRAY_BYTES)), nextAddress, units);
        int first = unitOf(nextAddress);
        for (int i = 0; i < units; i++) {
            if (ring.get((first + i) & (UNITS - 1)) != null) {
                throw new StoreException(
                        StoreError.NO_ROOM, "Rows in memory are at their limit", Map.of("bytes", bytes));
            }
        }
        for (int i = 0; i < units; i++) {
            ring.set((first + i) & (UNITS - 1), chunk);
        }
        nextAddress += (long) units << UNIT_SHIFT;
        live.addLast(chunk);
        bytes += chunk.bytes.length;
        return chunk;
    }

    /** Nothing has changed yet: what does not fit on the heap is refused, and all goes on. */
    private byte[] newArray(int length) {
        try {
            return new byte[length];
        } catch (OutOfMemoryError e) {
            throw new StoreException(
                    StoreError.NO_ROOM, "The heap has no room for a record", Map.of("bytes", length), e);
        }
    }

    /** Of all chunks, those that left and are still looked at among them. */
    public long bytes() {
        return bytes + pinnedBytes.get();
    }

    /** Of those that left and are still looked at. */
    long pinnedBytes() {
        return pinnedBytes.get();
    }

    /** Bytes of rows that are their keys' newest, deletes not counted. */
    long liveBytes() {
        return liveBytes;
    }

    /** A row of so many bytes became its key's newest, or with a negative number is so no longer. */
    void countLive(Chunk chunk, int rowBytes) {
        chunk.liveBytes += rowBytes;
        liveBytes += rowBytes;
    }

    /** Whether most of the addresses there are have been given out since the chunk got its own. */
    boolean isOld(Chunk chunk) {
        return nextAddress - chunk.address > OLD_BYTES;
    }

    /** For whoever captures rows to look at them later. */
    Pins pins() {
        return pins;
    }

    long nextAddress() {
        return nextAddress;
    }

    /** In the order they were taken. */
    Iterable<Chunk> chunks() {
        return live;
    }

    boolean any(Predicate<Chunk> condition) {
        return live.stream().anyMatch(condition);
    }

    /** Takes the chunk out and gives its addresses back, after the index has forgotten its rows. */
    void drop(Chunk chunk) {
        live.remove(chunk);
        bytes -= chunk.bytes.length;
        liveBytes -= chunk.liveBytes;
        int first = unitOf(chunk.address);
        for (int i = 0; i < chunk.units; i++) {
            ring.set((first + i) & (UNITS - 1), null);
        }
        pinned.addLast(chunk);
        pinnedBytes.addAndGet(chunk.bytes.length);
        unpin();
    }

    /** Lets go of what nobody looks at any more. */
    void unpin() {
        pinned.removeIf(chunk -> {
            boolean free = chunk.isCache() || !pins.reach(chunk.generation);
            if (free) {
                pinnedBytes.addAndGet(-chunk.bytes.length);
                chunk.bytes = Chunk.GONE;
            }
            return free;
        });
    }

    static int place(Chunk chunk, int offset) {
        return (int) ((chunk.address + offset) >>> PLACE_SHIFT);
    }

    private static int unitOf(long address) {
        return (int) (address >>> UNIT_SHIFT) & (UNITS - 1);
    }

    static int unitOfPlace(int place) {
        return place >>> (UNIT_SHIFT - PLACE_SHIFT);
    }

    /** The chunk that holds the place, or null when it has been evicted meanwhile. */
    @Nullable
    Chunk chunkAt(int place) {
        return ring.get(unitOfPlace(place));
    }

    static int offsetIn(Chunk chunk, int place) {
        int unit = (unitOfPlace(place) - unitOf(chunk.address)) & (UNITS - 1);
        return (unit << UNIT_SHIFT) + ((place << PLACE_SHIFT) & (UNIT_BYTES - 1));
    }

    static int unitsBetween(int from, int to) {
        return (to - from) & (UNITS - 1);
    }
}
