package io.polytable.table;

import java.time.Duration;
import java.util.Optional;

/**
 * How a table's rows are kept.
 *
 * @param ttl how long a row is shown after it was written, or, in a stream table whose key begins with a time, after that
 *     time; absent: for ever
 * @param compression whether rows are compressed on disk
 * @param bloom whether point reads of absent keys are answered without touching the disk
 * @param memory keep the table's blocks in memory before those of others
 * @param rowDeadlines whether each row carries its deadline: for a time to live without a time in the key, and for rows
 *     that have deadlines of their own ({@link Batch#putUntil})
 */
public record TableOptions(
        Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory, boolean rowDeadlines) {
    public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

    public TableOptions(Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory) {
        this(ttl, compression, bloom, memory, false);
    }

    /** Rows carry deadlines; one that is written without gets this time to live. */
    public TableOptions withRowDeadlines(Optional<Duration> timeToLive) {
        return new TableOptions(timeToLive, compression, bloom, memory, true);
    }
}
