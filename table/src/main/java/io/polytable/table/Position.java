package io.polytable.table;

/**
 * A place between two commits, for the change feed. Opaque: only the store that made it can read it. Its text form
 * survives restarts and may be kept anywhere.
 */
public record Position(String text) {
    /** Before everything that the log still holds or ever held. */
    public static final Position START = new Position("");

    @Override
    public String toString() {
        return text;
    }
}
