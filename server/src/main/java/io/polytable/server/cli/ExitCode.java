package io.polytable.server.cli;

/** The exit codes of the commands. */
final class ExitCode {
    static final int DONE = 0;
    static final int REFUSED = 1;
    /** {@code check} completed, and found damage. */
    static final int DAMAGE_FOUND = 2;

    private ExitCode() {}
}
