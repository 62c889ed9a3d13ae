package io.polytable.server.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints the progress of a recovery from time to time; a short recovery prints nothing. */
final class RecoveryLine {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final PrintWriter out;
    private long saidNanos = System.nanoTime();

    RecoveryLine(PrintWriter out) {
        this.out = out;
    }

    synchronized void at(long done, long total) {
        long now = System.nanoTime();
        if (done == 0 || done > total) {
            saidNanos = now;
        } else if (now - saidNanos > EVERY.toNanos()) {
            saidNanos = now;
            out.println("polytable recovering " + done + " of " + total + " (" + 100 * done / total + " %)");
            out.flush();
        }
    }
}
