package io.polytable.conformance.differential;

import io.polytable.conformance.process.Pause;
import java.util.List;

/**
 * Compares DBSIZE with a scan. An expired key is never visible, yet counted until the server removes it in the
 * background; so the two numbers must agree eventually.
 */
final class Counting {
    private static final int TRIES = 1_000;

    private Counting() {}

    /** Empty, or the wrong size that the selected database reports for too long. */
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
