package io.polytable.table;

import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import java.util.Set;

/** A consistent view of all tables at one position. It pins memory and files of the engine: close it. */
public interface Snapshot extends Reader, AutoCloseable {
    /** Changes after this position are exactly those that the snapshot does not show. */
    Position position();

    /**
     * The commits after this snapshot, in commit order, each change with the exact value that its row had before the
     * commit. A row appears once per commit, in its final state, so a range delete appears as deletes of the rows it
     * removed. The feed outlives the snapshot. A store keeps old values of its newest commits only, and only while such
     * feeds are open: a feed that is too slow expires.
     *
     * @throws StoreException {@link StoreError#POSITION_EXPIRED} when too much was committed since the snapshot
     */
    ChangeFeed changes(Set<Table> tables);

    /**
     * The version of a range, for comparison with other snapshots; {@link RangeChanges#UNKNOWN} if the range has
     * changed since.
     */
    long version(RangeChanges changes, int range);

    @Override
    void close();
}
