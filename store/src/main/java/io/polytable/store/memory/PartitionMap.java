package io.polytable.store.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A generation's partitions by the hash of table and partition. Two partitions with the same 64 bits share a list, which
 * is harmless: a scan looks at keys anyway. Under the append mutex.
 */
final class PartitionMap {
    private @Nullable FreshPartition[] slots = new FreshPartition[16];
    private int size;

    @Nullable
    FreshPartition find(long hash) {
        int mask = slots.length - 1;
        for (int at = (int) hash & mask; ; at = (at + 1) & mask) {
            FreshPartition found = slots[at];
            if (found == null || found.hash == hash) {
                return found;
            }
        }
    }

    FreshPartition of(long hash, int partitionLength) {
        FreshPartition found = find(hash);
        if (found != null) {
            return found;
        }
        if (size * 2 >= slots.length) {
            grow();
        }
        FreshPartition added = new FreshPartition(hash, partitionLength);
        insert(added);
        size++;
        return added;
    }

    private void insert(FreshPartition partition) {
        int mask = slots.length - 1;
        int at = (int) partition.hash & mask;
        while (slots[at] != null) {
            at = (at + 1) & mask;
        }
        slots[at] = partition;
    }

    private void grow() {
        @Nullable FreshPartition[] old = slots;
        slots = Arrays.copyOf(new FreshPartition[0], old.length * 2);
        for (FreshPartition partition : old) {
            if (partition != null) {
                insert(partition);
            }
        }
    }
}
