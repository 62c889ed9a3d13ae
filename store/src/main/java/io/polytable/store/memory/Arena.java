package io.polytable.store.memory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Chunks in the order they were taken, numbered as {@link Addresses} says. A chunk that stays while the addresses come round
 * to it is stepped over. All changes happen under the engine's append mutex; {@link #chunkAt} may be called by anyone.
 */
public final class Arena {
    /** An array of a whole unit would, with its header, be just too large for one region of the G1 collector and take two. */
    private static final int ARRAY_HEADER_BYTES = 64;

    private final Addresses addresses;
    private final AtomicReferenceArray<@Nullable Chunk> ring;
    private final ArrayDeque<Chunk> live = new ArrayDeque<>();
    private final Pins pins = new Pins();

    /** Chunks that left and that someone may still look at, in the order they left. */
    private final ArrayDeque<Chunk> pinned = new ArrayDeque<>();

    private final AtomicLong pinnedBytes = new AtomicLong();
    private long nextAddress;
    private long bytes;
    private long liveBytes;

    Arena(Addresses addresses) {
        this.addresses = addresses;
        ring = new AtomicReferenceArray<>(addresses.units());
    }

    Addresses addresses() {
        return addresses;
    }

    /** A chunk for at least so many bytes. */
    Chunk take(int least) {
        int unitBytes = addresses.unitBytes();
        int units = Math.max(1, (int) (((long) least + unitBytes - 1) >> addresses.unitShift()));
        long address = freeAddress(units);
        // A record larger than a unit gets an array of just its size: the rest of its last unit stays without memory.
        Chunk chunk = new Chunk(newArray(Math.max(least, unitBytes - ARRAY_HEADER_BYTES)), address, units, this);
        for (int i = 0; i < units; i++) {
            ring.set(addresses.unitOf(address + (long) i * unitBytes), chunk);
        }
        nextAddress = address + (long) units * unitBytes;
        live.addLast(chunk);
        bytes += chunk.bytes.length;
        return chunk;
    }

    /** The next address that so many free units follow. */
    private long freeAddress(int units) {
        int free = 0;
        for (int i = 0; i < addresses.units() + units && units <= addresses.units(); i++) {
            long address = nextAddress + (long) i * addresses.unitBytes();
            free = ring.get(addresses.unitOf(address)) == null ? free + 1 : 0;
            if (free == units) {
                return address - (long) (units - 1) * addresses.unitBytes();
            }
        }
        throw new StoreException(StoreError.NO_ROOM, "Rows in memory are at their limit", Map.of("bytes", bytes));
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

    /** A chunk's lists have grown by so much. */
    void countLists(int more) {
        bytes += more;
    }

    /** Of all chunks and their lists, those that left and are still looked at among them. */
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

    /** Takes the chunk out and gives its addresses back, after the index has forgotten its rows. */
    void drop(Chunk chunk) {
        live.remove(chunk);
        bytes -= chunk.weight();
        liveBytes -= chunk.liveBytes;
        for (int i = 0; i < chunk.units; i++) {
            ring.set(addresses.unitOf(chunk.address + (long) i * addresses.unitBytes()), null);
        }
        pins.forget();
        if (isFree(chunk)) {
            chunk.bytes = Chunk.GONE;
        } else {
            pinned.addLast(chunk);
            pinnedBytes.addAndGet(chunk.weight());
        }
    }

    /** Whether nobody can look at a chunk that left. */
    private boolean isFree(Chunk chunk) {
        return chunk.isCache() || !pins.reach(chunk.generation);
    }

    /** Lets go of what nobody looks at any more. */
    void unpin() {
        pins.forget();
        pinned.removeIf(chunk -> {
            boolean free = isFree(chunk);
            if (free) {
                pinnedBytes.addAndGet(-chunk.weight());
                chunk.bytes = Chunk.GONE;
            }
            return free;
        });
    }

    long place(Chunk chunk, int offset) {
        return addresses.placeOf(chunk.address + offset);
    }

    /** The chunk that holds the place, or null when it has been evicted meanwhile. */
    @Nullable
    Chunk chunkAt(long place) {
        return ring.get(addresses.unitOfPlace(place));
    }

    int offsetIn(Chunk chunk, long place) {
        return (int) addresses.distance(chunk.address, place);
    }
}
