package io.polytable.store.fluss.ownership;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/** The errors of log ownership, each worded once. */
public final class OwnershipFault {
    private OwnershipFault() {}

    static StoreException overtaken(LogKey key, long expected, long actual) {
        return new StoreException(
                StoreError.FAILED,
                "Another server took the log over: this owner steps down",
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

    static StoreException used(String log) {
        return new StoreException(
                StoreError.IN_USE, "Another server used the log in Fluss meanwhile", Map.of("log", log));
    }

    public static StoreException missing(LogKey key) {
        return new StoreException(StoreError.CORRUPT, "A row of the log is missing in Fluss", Map.of("row", key));
    }

    public static StoreException newer(int version, int known) {
        return new StoreException(
                StoreError.NEWER_FORMAT,
                "The log in Fluss was written by a newer version",
                Map.of("version", version, "known", known));
    }
}
