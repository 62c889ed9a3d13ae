package io.polytable.entity.uri;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.time.Duration;
import java.util.Map;

/** The URI's option {@code timeout.millis}: how long a call may take. */
public final class CallTimeout {
    private static final String OPTION = "timeout.millis";
    private static final String DEFAULT_MILLIS = "20000";
    private static final int MILLIS_MIN = 100;
    private static final int MILLIS_MAX = 3_600_000;

    private CallTimeout() {}

    public static Duration of(EntityUri uri) {
        String text = uri.options().getOrDefault(OPTION, DEFAULT_MILLIS);
        if (text.matches("[0-9]{1,7}")) {
            int millis = Integer.parseInt(text);
            if (millis >= MILLIS_MIN && millis <= MILLIS_MAX) {
                return Duration.ofMillis(millis);
            }
        }
        throw new EntityException(EntityError.BAD_URI, "Not a time-out in milliseconds", Map.of(OPTION, text));
    }
}
