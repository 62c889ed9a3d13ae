package io.polytable.table;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tables over one commit log and one ordered state.
 *
 * <ul>
 *   <li>Rows are in the unsigned byte order of their keys.
 *   <li>A batch is applied whole or not at all, also across a crash, over any rows of any tables of one group. Most stores
 *       are one group ({@link Capability#ATOMIC_ACROSS_TABLES}); others keep each table in one of several.
 *   <li>A commit is visible to the next read, on any thread, as soon as {@link #commit} returns, and is kept by the
 *       promise of the configured durability once {@link Commit#isDurable()}. No byte that tells of it may leave before.
 *   <li>Commits of a group have one order, which is the order of the change feed.
 *   <li>The store does not order competing writers: who reads, decides and writes holds the {@link Stripes} meanwhile.
 *   <li>A row whose deadline is over ({@link Expiry}) is not shown: not by a read, nor by a cursor or snapshot opened from
 *       then on. It is removed in the background by an ordinary commit, which is when the change feed tells of it.
 *   <li>Everything is safe for use by many threads, except cursors, batches and write sets.
 * </ul>
 */
public interface TableStore extends Reader, AutoCloseable {
    Set<Capability> capabilities();

    /** Creates the table, or answers the present one when its spec is equal. */
    Table create(TableSpec spec);

    Optional<Table> find(TableName name);

    /** All tables, by name. */
    List<Table> tables();

    /** Adds a column at the end; rows written before read as absent there. */
    Table addColumn(TableName name, Column column);

    /**
     * Gives the table another time to live, or none. Where rows expire by their keys all rows follow; where they carry
     * deadlines, those that are written from now on.
     */
    Table setTtl(TableName name, Optional<Duration> ttl);

    /** Drops the table and all its rows. */
    void drop(TableName name);

    /** How many groups there are, each with a log of its own. */
    default int groups() {
        return 1;
    }

    /** The group of the table of this name, or where one would be created. */
    default int group(TableName name) {
        return 0;
    }

    Stripes stripes();

    /**
     * A number larger than any handed out before in this store's life, across restarts: what makes a version of
     * something unique. Only numbers that got into a durable commit are certain never to come again.
     */
    long ticket();

    /**
     * Appends the batch to the log's buffer and publishes its rows. The batch belongs to the store until the call
     * returns and may be cleared and used again afterwards.
     *
     * @throws StoreException {@link StoreError#NO_ROOM}, {@link StoreError#CROSS_GROUP} for rows of several groups, or
     *     another code; then nothing of the batch is visible
     */
    Commit commit(Batch batch);

    /** The last commit so far, by anyone. What a reader saw is durable when this is. */
    Commit latest();

    /** Ends a turn: hands everything appended so far to the log with one write. Never waits for a sync. */
    void flush();

    /** False while so many commits wait for the state that new writers shall wait, before they take a stripe. */
    boolean hasRoom();

    /** Runs the action once when there is room, at once if there is now; on any thread. */
    void whenRoom(Runnable action);

    /** The whole store as it is now, for as long as the snapshot is open. */
    Snapshot snapshot();

    /** The changes after the position, in commit order. With the rows' old values: {@link Snapshot#changes}. */
    ChangeFeed changes(Set<Table> tables, Position from);

    /** From now on tells when the ranges between these keys change; so many of them that a commit finds its own fast. */
    RangeChanges rangeChanges(Table table, List<Bytes> bounds);

    /** Where a feed starts that wants only what comes from now on. */
    Position position();

    /** The clock by which rows expire. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /**
     * Removes up to about so many rows that are over, those first whose deadlines are the oldest; answers how much it found
     * to do, and less than {@code most} when nothing is left. A store that has a background does this by itself there.
     */
    int removeExpired(int most);

    @Override
    void close();
}
