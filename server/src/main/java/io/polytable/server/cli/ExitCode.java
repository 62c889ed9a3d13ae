package io.polytable.server.cli;

/** What the shell learns. */
final class ExitCode {
    static final int DONE = 0;
    static final int REFUSED = 1;
    /** {@code check} did its work, and the data is not as it should be. */
    static final int DAMAGE_FOUND = 2;

    private ExitCode() {}
}
