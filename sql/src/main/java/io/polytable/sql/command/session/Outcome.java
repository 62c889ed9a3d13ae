package io.polytable.sql.command.session;

import io.polytable.sql.query.QueryRows;

/** What a statement answers. */
public sealed interface Outcome {
    /** Rows, to be read and closed before the session's next statement. */
    record Rows(QueryRows rows) implements Outcome {}

    /**
     * Nothing to show.
     *
     * @param rows how many rows it wrote
     */
    record Done(String message, long rows) implements Outcome {}

    static Outcome done(String message) {
        return new Done(message, 0);
    }
}
