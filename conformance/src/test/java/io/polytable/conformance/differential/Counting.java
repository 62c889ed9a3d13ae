package io.polytable.conformance.differential;

import io.polytable.table.testkit.Await;
import java.util.List;

/**
 * Compares DBSIZE with a scan. An expired key is never visible, yet counted until the server removes it in the
 * background; so the two numbers must agree eventually.
 */
final class Counting {
    private Counting() {}

    /** Empty, or the wrong size that the selected database reports for too long. */
    static String complaint(Speaker speaker, int connection) {
        String[] last = {""};
        try {
            Await.until("DBSIZE agrees with a scan", () -> {
                int seen = Iteration.of(speaker, Iteration.ofDatabase(connection))
                        .elements()
                        .size();
                long counted =
                        speaker.call(connection, List.of("DBSIZE")).tree().number();
                last[0] = "DBSIZE says " + counted + ", a scan sees " + seen;
                return counted == seen;
            });
            return "";
        } catch (AssertionError never) {
            return last[0];
        }
    }
}
