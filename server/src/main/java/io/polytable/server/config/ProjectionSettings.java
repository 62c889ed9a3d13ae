package io.polytable.server.config;

import static io.polytable.frontend.setting.ByteSize.GB;
import static io.polytable.frontend.setting.ByteSize.KB;
import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.integer;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import java.time.Duration;
import java.util.List;

/** The readable tables in Fluss. */
public final class ProjectionSettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Boolean> ENABLED = SETTINGS.add(setting(
            "fluss.projection.enabled",
            bool(),
            "true",
            "Whether what clients write is shown in readable tables of Fluss; with store.log=fluss only."));
    public static final Setting<Integer> BUCKETS = SETTINGS.add(setting(
            "fluss.projection.buckets", integer(1, 1024), "1", "Buckets of each readable table when it is created."));
    public static final Setting<Duration> INTERVAL = SETTINGS.add(setting(
            "fluss.projection.interval",
            duration(),
            "1s",
            "How often the readable tables are brought up to date; more often costs more writes."));
    public static final Setting<Integer> BATCH_ROWS = SETTINGS.add(setting(
            "fluss.projection.batch.rows", integer(1, 1_000_000), "5000", "Rows written to Fluss together, at most."));
    public static final Setting<Long> BATCH_BYTES = SETTINGS.add(setting(
            "fluss.projection.batch.bytes", bytes(KB, GB), "8mb", "Bytes of rows on their way to Fluss at a time."));
    public static final Setting<Long> VALUE_BYTES_MAX = SETTINGS.add(setting(
            "fluss.projection.value.bytes.max",
            bytes(KB, 64 * MB),
            "16mb",
            "Longer values are shown as NULL in the readable tables."));

    private ProjectionSettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
