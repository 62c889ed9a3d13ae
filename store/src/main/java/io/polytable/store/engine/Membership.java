package io.polytable.store.engine;

import io.polytable.table.Stripes;

/**
 * An engine's place in a store: which group it is, of how many, the tickets they all draw from and the stripes they share. The ids of its tables
 * tell the group: with G groups, group g has g + 1, g + 1 + G, g + 1 + 2G and so on. So a table's id means one table
 * in the whole store, and a row's group is known from its bytes.
 */
public record Membership(int group, int groups, Tickets tickets, Stripes stripes) {
    public Membership {
        if (group < 0 || group >= groups) {
            throw new IllegalArgumentException("group: " + group + " of " + groups);
        }
    }

    /** Of a store that is one engine. */
    public static Membership alone() {
        return new Membership(0, 1, new Tickets(), new Stripes());
    }

    int firstTableId() {
        return group + 1;
    }

    int tableIdAfter(int id) {
        return id + groups;
    }

    public int groupOf(int tableId) {
        return groupOf(tableId, groups);
    }

    public static int groupOf(int tableId, int groups) {
        return (tableId - 1) % groups;
    }
}
