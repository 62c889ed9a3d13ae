package io.polytable.server.config;

import static io.polytable.frontend.setting.ByteSize.GB;
import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.ByteSize.TB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.oneOf;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.store.engine.DurabilityMode;
import java.time.Duration;
import java.util.List;

/** The engine: the place of the commit log, and its durability. */
public final class StoreSettings {
    private static final Declarations SETTINGS = new Declarations();

    /** The media for the commit log. */
    public enum LogPlace {
        FILE,
        FLUSS
    }

    public static final Setting<LogPlace> LOG = SETTINGS.add(setting(
            "store.log", oneOf(LogPlace.class), "file", "Where commits are logged: local files, or Apache Fluss."));
    public static final Setting<DurabilityMode> DURABILITY = SETTINGS.add(setting(
            "store.durability",
            oneOf(DurabilityMode.class),
            "everysec",
            "always: synced to disk before the reply; everysec: with the operating system before the reply, synced"
                    + " each second; os: synced when the operating system likes."));
    public static final Setting<Long> SEGMENT_BYTES = SETTINGS.add(setting(
            "store.log.segment.bytes", bytes(MB, 2 * GB - MB), "64mb", "Size of one log file, in pages of 4kb."));
    public static final Setting<Long> RETENTION_BYTES = SETTINGS.add(setting(
            "store.log.retention.bytes",
            bytes(0, 1024 * TB),
            "256mb",
            "Log kept for readers of the change feed, beyond what recovery needs."));
    public static final Setting<Duration> RETENTION_TIME = SETTINGS.add(
            setting(
                    "store.log.retention.time",
                    duration(),
                    "0",
                    "How long the log is kept for change feeds and point-in-time restores, and deleted Parquet files with it."));

    private StoreSettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
