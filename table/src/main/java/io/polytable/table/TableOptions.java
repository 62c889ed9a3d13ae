package io.polytable.table;

import java.time.Duration;
import java.util.Optional;

/**
 * Storage options of a table.
 *
 * @param ttl the time to live of a row after it was written or, in a stream table whose key begins with a time, after
 *     that time; absent for none
 * @param compression whether rows are compressed on disk
 * @param bloom whether bloom filters answer point reads of absent keys without disk access
 * @param memory whether the table's blocks take precedence in the block cache
 * @param rowDeadlines whether each row carries its deadline: for a time to live without a time in the key, and for rows
 *     with deadlines of their own ({@link Batch#putUntil})
 */
public record TableOptions(
        Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory, boolean rowDeadlines) {
    public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

    public TableOptions(Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory) {
        this(ttl, compression, bloom, memory, false);
    }

    /** Rows carry deadlines; one that is written without a deadline gets this time to live. */
    public TableOptions withRowDeadlines(Optional<Duration> timeToLive) {
        return new TableOptions(timeToLive, compression, bloom, memory, true);
    }
}
