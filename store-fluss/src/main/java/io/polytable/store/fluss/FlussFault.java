package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Map;

/** The errors of a log in Fluss, each worded once. */
final class FlussFault {
    private FlussFault() {}

    static StoreException unreachable(FlussSettings settings, Throwable cause) {
        return new StoreException(
                StoreError.IO,
                "No Fluss cluster is reachable; start it, or correct fluss.bootstrap.servers",
                Map.of("servers", String.join(",", settings.bootstrapServers()), "reason", reason(cause)),
                cause);
    }

    /** The first line of the innermost message: the ones around it repeat it with names of Java classes. */
    private static String reason(Throwable cause) {
        Throwable innermost = cause;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        return message == null || message.isBlank()
                ? innermost.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }

    static StoreException failed(Throwable cause) {
        return new StoreException(StoreError.IO, "Fluss failed", Map.of("cause", String.valueOf(cause)), cause);
    }

    static StoreException late(Duration most, Throwable cause) {
        return new StoreException(
                StoreError.IO, "Fluss did not answer in time", Map.of("millis", most.toMillis()), cause);
    }

    static StoreException damaged(LogKey key) {
        return new StoreException(StoreError.CORRUPT, "A row of the log in Fluss is damaged", Map.of("row", key));
    }

    static StoreException notShown(LogKey key, Duration most) {
        return new StoreException(
                StoreError.IO,
                "Fluss does not show a row that it acknowledged",
                Map.of("row", key, "millis", most.toMillis()));
    }

    static StoreException noRoom(long bytes) {
        return new StoreException(
                StoreError.NO_ROOM, "Too much waits for Fluss to acknowledge it", Map.of("bytes", bytes));
    }
}
