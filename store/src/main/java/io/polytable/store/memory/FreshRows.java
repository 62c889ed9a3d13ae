package io.polytable.store.memory;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The generations that are not yet in the state: the sealed ones, oldest first, and last the growing one. Changed under
 * the append mutex.
 */
final class FreshRows {
    private final Pins pins;
    private volatile Generation[] generations;

    FreshRows(Arena arena) {
        pins = arena.pins();
        generations = new Generation[] {Generation.first(arena.addresses())};
    }

    Generation growing() {
        Generation[] all = generations;
        return all[all.length - 1];
    }

    Generation oldest() {
        return generations[0];
    }

    int sealedCount() {
        return generations.length - 1;
    }

    Optional<Generation> oldestSealed() {
        Generation[] all = generations;
        return all.length > 1 ? Optional.of(all[0]) : Optional.empty();
    }

    /** Seals the growing generation and starts a new one, unless it is empty. */
    void seal() {
        Generation last = growing();
        if (!last.isEmpty()) {
            Generation[] next = Arrays.copyOf(generations, generations.length + 1);
            next[next.length - 1] = last.next();
            generations = next;
        }
    }

    void applied(Generation generation) {
        if (generations[0] != generation) {
            throw new IllegalStateException("generations are applied in order");
        }
        generations = Arrays.copyOfRange(generations, 1, generations.length);
        pins.applied(generation);
    }

    /** The last generation that the state has; 0 for none. */
    long applied() {
        return generations[0].number() - 1;
    }

    /** Memory of all of them, their indexes and sorted runs included. */
    long bytes() {
        long bytes = 0;
        for (Generation generation : generations) {
            bytes += generation.bytes();
        }
        return bytes;
    }

    /** Memory of their indexes and sorted runs. */
    long sideBytes() {
        long bytes = 0;
        for (Generation generation : generations) {
            bytes += generation.sideBytes();
        }
        return bytes;
    }

    /** Each generation's rows of the partition, newest first. */
    List<PartitionRows> partition(long hash, int table, Bytes partition) {
        Generation[] all = generations;
        List<PartitionRows> parts = new ArrayList<>(all.length);
        for (int i = all.length - 1; i >= 0; i--) {
            all[i].partition(hash, table, partition).ifPresent(parts::add);
        }
        return parts;
    }

    /** The present extent of each generation, newest first. */
    List<Prefix> prefixes() {
        Generation[] all = generations;
        List<Prefix> prefixes = new ArrayList<>(all.length);
        for (int i = all.length - 1; i >= 0; i--) {
            prefixes.add(all[i].prefix());
        }
        return prefixes;
    }

    /** Pins everything that is fresh now. */
    Pins.Pin pin() {
        return pins.take(generations[0]);
    }
}
