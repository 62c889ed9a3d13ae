package io.polytable.store.group;

/** The number of groups of a store, and the policy that places tables in them. */
public record Grouping(int count, PlacementPolicy placement) {
    /** One group: any batch is atomic. */
    public static final Grouping ONE = new Grouping(1, table -> 0);

    public Grouping {
        if (count < 1) {
            throw new IllegalArgumentException("groups: " + count);
        }
    }
}
