package io.polytable.table;

/**
 * A position between two commits, for the change feed. Opaque: only its own store can interpret it. Its text form
 * survives restarts and may be stored anywhere.
 */
public record Position(String text) {
    /** Before all commits, including those that the log no longer holds. */
    public static final Position START = new Position("");

    @Override
    public String toString() {
        return text;
    }
}
