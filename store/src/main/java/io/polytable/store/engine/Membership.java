package io.polytable.store.engine;

import io.polytable.store.feed.ReaderPool;
import io.polytable.table.Stripes;

/**
 * An engine's place in a store: its group, the number of groups, and the tickets, stripes and log readers that all
 * groups share. Table ids tell the group: with G groups, group g has g + 1, g + 1 + G, g + 1 + 2G and so on. So a table
 * id is unique in the whole store, and a row's group follows from its bytes.
 */
public record Membership(int group, int groups, Tickets tickets, Stripes stripes, ReaderPool readers) {
    public Membership {
        if (group < 0 || group >= groups) {
            throw new IllegalArgumentException("group: " + group + " of " + groups);
        }
    }

    /** For a group that is opened alone, with its own readers. */
    public Membership(int group, int groups, Tickets tickets, Stripes stripes) {
        this(group, groups, tickets, stripes, new ReaderPool());
    }

    /** For a store of one engine. */
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
