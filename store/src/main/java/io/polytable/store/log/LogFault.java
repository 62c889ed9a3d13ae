package io.polytable.store.log;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.util.Map;

/** The errors of a log, each worded once. */
public final class LogFault {
    private LogFault() {}

    public static StoreException corrupt(String text, String file, long offset) {
        return new StoreException(StoreError.CORRUPT, text, Map.of("file", file, "offset", offset));
    }

    public static StoreException missing(String file) {
        return new StoreException(StoreError.CORRUPT, "A file of the log is missing", Map.of("file", file));
    }

    public static StoreException newer(String file, int version, int known) {
        return new StoreException(
                StoreError.NEWER_FORMAT,
                "The log was written by a newer version",
                Map.of("file", file, "version", version, "known", known));
    }

    public static StoreException unreadable(String file, IOException cause) {
        return io("The log cannot be read", file, cause);
    }

    public static StoreException unusable(String directory, IOException cause) {
        return io("The log's directory cannot be used", directory, cause);
    }

    private static StoreException io(String text, String file, IOException cause) {
        return new StoreException(StoreError.IO, text, Map.of("file", file, "cause", cause), cause);
    }

    public static StoreException noRoom(IOException cause) {
        return new StoreException(
                StoreError.NO_ROOM,
                "There is no space for the log",
                Map.of("cause", String.valueOf(cause.getMessage())),
                cause);
    }

    public static StoreException expired(long position) {
        return new StoreException(
                StoreError.POSITION_EXPIRED, "The log no longer holds the position", Map.of("position", position));
    }

    public static StoreException beyondEnd(long position, long end) {
        return new StoreException(
                StoreError.BAD_POSITION,
                "The position is beyond the log's end",
                Map.of("position", position, "end", end));
    }

    public static StoreException closed() {
        return new StoreException(StoreError.CLOSED, "The log is closed");
    }
}
