package io.polytable.server.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** Says now and then how far a recovery is; one that takes no time is not worth a line. */
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
