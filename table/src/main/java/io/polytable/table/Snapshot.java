package io.polytable.table;

import java.util.Set;

/** All tables as they were at one position. Holds memory and files of the engine: close it. */
public interface Snapshot extends Reader, AutoCloseable {
    /** Changes from here on are exactly those the snapshot does not show. */
    Position position();

    /**
     * What was committed after this snapshot, in commit order, each change with the value that its row had before its
     * commit: exactly that one. Each row that a commit changes shows once, as the commit left it; so a range delete shows as
     * deletes of the rows that it removed. The feed stays when the
     * snapshot is closed. A store keeps old values of its newest commits only, and only while somebody follows them: a
     * feed that is too slow for that expires.
     *
     * @throws StoreException {@link StoreError#POSITION_EXPIRED} when too much was committed since the snapshot
     */
    ChangeFeed changes(Set<Table> tables);

    /**
     * The version of one of the ranges, by which it is compared with what another snapshot showed; or
     * {@link RangeChanges#UNKNOWN} when the range has changed since.
     */
    long version(RangeChanges changes, int range);

    @Override
    void close();
}
