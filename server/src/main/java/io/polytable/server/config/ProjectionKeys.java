package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.KB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.integer;

import java.time.Duration;
import java.util.List;

/** The readable tables in Fluss. */
public final class ProjectionKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> ENABLED = KEYS.add(key(
            "fluss.projection.enabled",
            bool(),
            "true",
            "Whether what clients write is shown in readable tables of Fluss; with store.log=fluss only."));
    public static final Key<Integer> BUCKETS = KEYS.add(key(
            "fluss.projection.buckets", integer(1, 1024), "1", "Buckets of each readable table when it is created."));
    public static final Key<Duration> INTERVAL = KEYS.add(key(
            "fluss.projection.interval",
            duration(),
            "1s",
            "How often the readable tables are brought up to date; more often costs more writes."));
    public static final Key<Integer> BATCH_ROWS = KEYS.add(key(
            "fluss.projection.batch.rows", integer(1, 1_000_000), "5000", "Rows written to Fluss together, at most."));
    public static final Key<Long> BATCH_BYTES = KEYS.add(key(
            "fluss.projection.batch.bytes", bytes(KB, GB), "8mb", "Bytes of rows on their way to Fluss at a time."));
    public static final Key<Long> VALUE_BYTES_MAX = KEYS.add(key(
            "fluss.projection.value.bytes.max",
            bytes(KB, 64 * MB),
            "16mb",
            "Longer values are shown as NULL in the readable tables."));

    private ProjectionKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
