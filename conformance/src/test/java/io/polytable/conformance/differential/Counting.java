package io.polytable.conformance.differential;

import io.polytable.conformance.process.Pause;
import java.util.List;

/**
 * DBSIZE against a scan. An expired key is never seen, yet counted until the server has forgotten it, in its own time; so
 * the two numbers need not be the same at once, but soon.
 */
final class Counting {
    private static final int TRIES = 1_000;

    private Counting() {}

    /** Empty, or what the selected database says of its size for too long. */
    static String complaint(Speaker speaker, int connection) {
        int seen = 0;
        long counted = 0;
        for (int i = 0; i < TRIES; i++) {
            seen = Iteration.of(speaker, Iteration.ofDatabase(connection))
                    .elements()
                    .size();
            counted = speaker.call(connection, List.of("DBSIZE")).tree().number();
            if (seen == counted) {
                return "";
            }
            Pause.millis(5);
        }
        return "DBSIZE says " + counted + ", a scan sees " + seen;
    }
}
