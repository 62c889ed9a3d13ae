package io.polytable.store.fluss;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Map;

/** The errors a log in Fluss can give, worded once. */
final class FlussFault {
    private FlussFault() {}

    static StoreException unreachable(FlussSettings settings, Throwable cause) {
        return new StoreException(
                StoreError.IO,
                "No Fluss cluster answers",
                Map.of("servers", String.join(",", settings.bootstrapServers()), "cause", String.valueOf(cause)),
                cause);
    }

    static StoreException failed(Throwable cause) {
        return new StoreException(StoreError.IO, "Fluss failed", Map.of("cause", String.valueOf(cause)), cause);
    }

    static StoreException late(Duration most, Throwable cause) {
        return new StoreException(
                StoreError.IO, "Fluss did not answer in time", Map.of("millis", most.toMillis()), cause);
    }

    static StoreException overtaken(LogKey key, long expected, long actual) {
        return new StoreException(
                StoreError.FAILED,
                "Somebody else writes to the log: this owner steps down",
                Map.of("row", key, "expected", expected, "offset", actual));
    }

    static StoreException owned(String log, long owner) {
        return new StoreException(
                StoreError.IN_USE,
                "Another server owns the log in Fluss",
                Map.of("log", log, "owner", Long.toHexString(owner)));
    }

    static StoreException contested(String log) {
        return new StoreException(StoreError.IN_USE, "Others claim the log in Fluss too", Map.of("log", log));
    }

    static StoreException missing(LogKey key) {
        return new StoreException(StoreError.CORRUPT, "A row of the log is missing in Fluss", Map.of("row", key));
    }

    static StoreException damaged(LogKey key) {
        return new StoreException(StoreError.CORRUPT, "A row of the log in Fluss is damaged", Map.of("row", key));
    }

    static StoreException newer(int version, int known) {
        return new StoreException(
                StoreError.NEWER_FORMAT,
                "The log in Fluss was written by a newer version",
                Map.of("version", version, "known", known));
    }

    static StoreException noRoom(long bytes) {
        return new StoreException(
                StoreError.NO_ROOM, "Too much waits for Fluss to acknowledge it", Map.of("bytes", bytes));
    }
}
