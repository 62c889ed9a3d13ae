package io.polytable.server.cli;

import java.io.PrintWriter;

/** A progress bar on one line of a terminal. */
final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintWriter out;
    private int shown = -1;

    ProgressBar(PrintWriter out) {
        this.out = out;
    }

    void at(long done, long total) {
        boolean isKnown = total > 0;
        int filled = isKnown ? (int) Math.min(WIDTH, done * WIDTH / total) : WIDTH;
        if (filled != shown) {
            shown = filled;
            String bar = "#".repeat(filled) + " ".repeat(WIDTH - filled);
            out.print("\r[" + bar + "] " + done + (isKnown ? " of " + total : ""));
            out.flush();
        }
    }

    /** Ends the line, if anything was shown. */
    void end() {
        if (shown >= 0) {
            out.println();
        }
    }
}
