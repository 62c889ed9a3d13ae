package io.polytable.store.memory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that hold all rows in memory, in allocation order, addressed as {@link Addresses} defines. When addresses
 * wrap around the ring, allocation skips chunks that are still live. All changes happen under the engine's append
 * mutex; {@link #chunkAt} needs no lock.
 */
public final class Arena {
    /** An array of a full unit plus its header would just exceed one G1 region and take two. */
    private static final int ARRAY_HEADER_BYTES = 64;

    private final Addresses addresses;
    private final AtomicReferenceArray<@Nullable Chunk> ring;
    private final ArrayDeque<Chunk> live = new ArrayDeque<>();
    private final Pins pins = new Pins();

    /** Dropped chunks that a snapshot or cursor may still read, in the order they were dropped. */
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

    /** Allocates a chunk of at least {@code least} bytes. */
    Chunk take(int least) {
        int unitBytes = addresses.unitBytes();
        int units = Math.max(1, (int) (((long) least + unitBytes - 1) >> addresses.unitShift()));
        long address = freeAddress(units);
        // A record larger than a unit gets an array of exactly its size; the rest of its last unit is address space
        // without memory.
        Chunk chunk = new Chunk(newArray(Math.max(least, unitBytes - ARRAY_HEADER_BYTES)), address, units, this);
        for (int i = 0; i < units; i++) {
            ring.set(addresses.unitOf(address + (long) i * unitBytes), chunk);
        }
        nextAddress = address + (long) units * unitBytes;
        live.addLast(chunk);
        bytes += chunk.bytes.length;
        return chunk;
    }

    /** The next address followed by that many free units. */
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

    /** Nothing has changed yet, so an allocation that does not fit the heap is refused without harm. */
    private byte[] newArray(int length) {
        try {
            return new byte[length];
        } catch (OutOfMemoryError e) {
            throw new StoreException(
                    StoreError.NO_ROOM, "The heap has no space for a record", Map.of("bytes", length), e);
        }
    }

    /** Accounts for growth of a chunk's lists. */
    void countLists(int more) {
        bytes += more;
    }

    /** Bytes of all chunks and their lists, pinned ones included. */
    public long bytes() {
        return bytes + pinnedBytes.get();
    }

    /** Bytes of dropped chunks that are still pinned. */
    long pinnedBytes() {
        return pinnedBytes.get();
    }

    /** Bytes of the rows that are the newest of their key, deletes not counted. */
    long liveBytes() {
        return liveBytes;
    }

    /** Adds a row's bytes to the live bytes, or subtracts them when it is superseded. */
    void countLive(Chunk chunk, int rowBytes) {
        chunk.liveBytes += rowBytes;
        liveBytes += rowBytes;
    }

    Pins pins() {
        return pins;
    }

    long nextAddress() {
        return nextAddress;
    }

    /** In allocation order. */
    Iterable<Chunk> chunks() {
        return live;
    }

    /** Frees the chunk's addresses. The index must have forgotten its rows already. */
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

    /** Whether no snapshot or cursor can reach a dropped chunk. */
    private boolean isFree(Chunk chunk) {
        return chunk.isCache() || !pins.reach(chunk.generation);
    }

    /** Frees dropped chunks that are no longer pinned. */
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

    /** The chunk of the place, or null if it was evicted. */
    @Nullable
    Chunk chunkAt(long place) {
        return ring.get(addresses.unitOfPlace(place));
    }

    int offsetIn(Chunk chunk, long place) {
        return (int) addresses.distance(chunk.address, place);
    }
}
