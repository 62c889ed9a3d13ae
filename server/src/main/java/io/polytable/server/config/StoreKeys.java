package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.oneOf;

import io.polytable.store.engine.DurabilityMode;
import java.time.Duration;
import java.util.List;

/** The engine: the place of the commit log, and its durability. */
public final class StoreKeys {
    private static final Declarations KEYS = new Declarations();

    /** The media for the commit log. */
    public enum LogPlace {
        FILE,
        FLUSS
    }

    public static final Key<LogPlace> LOG = KEYS.add(
            key("store.log", oneOf(LogPlace.class), "file", "Where commits are logged: local files, or Apache Fluss."));
    public static final Key<DurabilityMode> DURABILITY = KEYS.add(key(
            "store.durability",
            oneOf(DurabilityMode.class),
            "everysec",
            "always: synced to disk before the reply; everysec: with the operating system before the reply, synced"
                    + " each second; os: synced when the operating system likes."));
    public static final Key<Long> SEGMENT_BYTES = KEYS.add(
            key("store.log.segment.bytes", bytes(MB, 2 * GB - MB), "64mb", "Size of one log file, in pages of 4kb."));
    public static final Key<Long> RETENTION_BYTES = KEYS.add(key(
            "store.log.retention.bytes",
            bytes(0, 1024 * TB),
            "256mb",
            "Log kept for readers of the change feed, beyond what recovery needs."));
    public static final Key<Duration> RETENTION_TIME = KEYS.add(key(
            "store.log.retention.time",
            duration(),
            "0",
            "Log kept so long for readers of the change feed, whatever its size."));

    private StoreKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
