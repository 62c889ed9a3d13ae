package io.polytable.store.engine;

import io.polytable.store.feed.ReaderPool;
import io.polytable.table.Stripes;

/**
 * An engine's place in a store: its partition, the number of partitions, and the tickets, stripes and log readers that all
 * partitions share. The partition follows from the table id: with G partitions, partition g has g + 1, g + 1 + G, g + 1 + 2G and so on. So a table
 * id is unique in the whole store, and a row's partition follows from its bytes.
 */
public record Membership(int partition, int partitions, Tickets tickets, Stripes stripes, ReaderPool readers) {
    public Membership {
        if (partition < 0 || partition >= partitions) {
            throw new IllegalArgumentException("partition: " + partition + " of " + partitions);
        }
    }

    /** For a partition that is opened alone, with its own readers. */
    public Membership(int partition, int partitions, Tickets tickets, Stripes stripes) {
        this(partition, partitions, tickets, stripes, new ReaderPool());
    }

    /** For a store of one engine. */
    public static Membership alone() {
        return new Membership(0, 1, new Tickets(), new Stripes());
    }

    int firstTableId() {
        return partition + 1;
    }

    int tableIdAfter(int id) {
        return id + partitions;
    }

    public int partitionOf(int tableId) {
        return partitionOf(tableId, partitions);
    }

    public static int partitionOf(int tableId, int partitions) {
        return (tableId - 1) % partitions;
    }
}
