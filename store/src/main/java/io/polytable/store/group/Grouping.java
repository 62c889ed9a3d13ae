package io.polytable.store.group;

/** How many groups a store has, and which tables are in which. */
public record Grouping(int count, Placement placement) {
    /** Everything is atomic with everything. */
    public static final Grouping ONE = new Grouping(1, table -> 0);

    public Grouping {
        if (count < 1) {
            throw new IllegalArgumentException("groups: " + count);
        }
    }
}
