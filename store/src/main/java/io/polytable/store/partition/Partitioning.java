package io.polytable.store.partition;

/** The number of partitions of a store, and the policy that places tables in them. */
public record Partitioning(int count, PlacementPolicy placement) {
    /** One partition: any batch is atomic. */
    public static final Partitioning ONE = new Partitioning(1, table -> 0);

    public Partitioning {
        if (count < 1) {
            throw new IllegalArgumentException("partitions: " + count);
        }
    }
}
