package io.polytable.table;

import java.time.Duration;
import java.util.Optional;

/**
 * Storage options of a table.
 *
 * @param ttl in a stream table whose key begins with a time, the time to live of a row after that time; absent for none
 * @param compression whether rows are compressed on disk
 * @param bloom whether bloom filters answer point reads of absent keys without disk access
 * @param memory whether the table's blocks take precedence in the block cache
 * @param buffers sizes of the write buffers of the table's state; absent for the defaults of its kind
 * @param prefixed whether eight bytes precede each value, which its reader skips: in index tables of older versions
 *     (docs/formats/deadlines.md). No new table has them.
 */
public record TableOptions(
        Optional<Duration> ttl,
        boolean compression,
        boolean bloom,
        boolean memory,
        boolean prefixed,
        Optional<WriteBuffers> buffers) {
    public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

    public TableOptions(Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory) {
        this(ttl, compression, bloom, memory, false, Optional.empty());
    }

    /** A copy with another time to live. */
    TableOptions withTtl(Optional<Duration> other) {
        return new TableOptions(other, compression, bloom, memory, prefixed, buffers);
    }

    public TableOptions withBuffers(WriteBuffers sizes) {
        return new TableOptions(ttl, compression, bloom, memory, prefixed, Optional.of(sizes));
    }
}
