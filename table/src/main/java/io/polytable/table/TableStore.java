package io.polytable.table;

import io.polytable.table.column.Column;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tables over a commit log and the ordered state that it produces.
 *
 * <ul>
 *   <li>Rows are in the unsigned byte order of their keys.
 *   <li>A batch is atomic, also across a crash, over any rows of any tables of one partition. Most stores have one partition;
 *       others assign each table to one of several.
 *   <li>A commit is visible to reads on any thread as soon as {@link #commit} returns. It is durable, as configured,
 *       once {@link Commit#isDurable()}. No reply that depends on it may be sent before that.
 *   <li>Commits of a partition have one order, which is the order of the change feed.
 *   <li>The store does not serialize competing writers: a read-modify-write must hold the {@link Stripes} of its keys.
 *   <li>An expired row ({@link Expiry}) is hidden from reads, and from cursors and snapshots opened after its time. The
 *       table's owner removes it later ({@link #expired}) by an ordinary commit, which appears in the change feed.
 *   <li>Everything is thread safe, except cursors, batches and write sets.
 * </ul>
 */
public interface TableStore extends Reader, AutoCloseable {
    /** Creates the table, or returns the existing one if its spec is equal. */
    Table create(TableSpec spec);

    Optional<Table> find(TableName name);

    /** All tables, by name. */
    List<Table> tables();

    /** Adds a column at the end; it is absent in existing rows. */
    Table addColumn(TableName name, Column column);

    /** Changes or removes the table's time to live, for all rows. */
    Table setTtl(TableName name, Optional<Duration> ttl);

    /**
     * Drops the table and all its rows. Open cursors continue to show their snapshot of it. Every other access to the
     * table, through an open snapshot too, is refused with {@link StoreError#NO_SUCH_TABLE}.
     */
    void drop(TableName name);

    /** The number of partitions, each with a log of its own. */
    default int partitions() {
        return 1;
    }

    /** The partition of the table with this name, or the partition in which it would be created. */
    default int partition(TableName name) {
        return 0;
    }

    Stripes stripes();

    /**
     * A number larger than any returned before by this store, across restarts; used as a unique version. Only numbers
     * in a durable commit are guaranteed never to be returned again.
     */
    long ticket();

    /**
     * Appends the batch to the log's buffer and publishes its rows. The store owns the batch until the call returns;
     * after that it may be cleared and reused.
     *
     * @throws StoreException {@link StoreError#NO_ROOM}, {@link StoreError#CROSS_PARTITION} for rows of several partitions, or
     *     another code; then none of the batch is visible
     */
    Commit commit(Batch batch);

    /** The latest commit of any writer. Everything read before is durable when this commit is. */
    Commit latest();

    /**
     * Writes everything appended so far to the log with one write, at the end of an event loop's turn. Never waits for
     * an fsync.
     */
    void flush();

    /**
     * Back-pressure: false while so many commits wait for the state that new writers should wait, before they take a
     * stripe.
     */
    boolean hasRoom();

    /** Runs the action once there is space: at once if there is now, otherwise later on any thread. */
    void whenRoom(Runnable action);

    /** A consistent view of the whole store, valid until it is closed. */
    Snapshot snapshot();

    /** The changes after the position, in commit order. For old values use {@link Snapshot#changes}. */
    ChangeFeed changes(Set<Table> tables, Position from);

    /**
     * Starts to track changes of the ranges between these keys. There may be many: a commit finds its range by binary
     * search.
     */
    RangeChanges rangeChanges(Table table, List<Bytes> bounds);

    /** The start position of a feed that needs only future commits. */
    Position position();

    /** The clock that decides when rows expire. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /** The rows that have expired but are not removed yet, in key order. */
    Cursor expired(Table table, long limit);

    @Override
    void close();
}
