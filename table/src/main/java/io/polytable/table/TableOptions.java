package io.polytable.table;

import java.time.Duration;
import java.util.Optional;

/**
 * How a table's rows are kept.
 *
 * @param ttl rows older than this may vanish (stream tables); absent: never
 * @param compression whether rows are compressed on disk
 * @param bloom whether point reads of absent keys are answered without touching the disk
 * @param memory keep the table's blocks in memory before those of others
 */
public record TableOptions(Optional<Duration> ttl, boolean compression, boolean bloom, boolean memory) {
    public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);
}
