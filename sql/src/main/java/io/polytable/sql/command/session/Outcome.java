package io.polytable.sql.command.session;

import io.polytable.sql.query.QueryRows;

/** The outcome of a statement: a result set, or a count. */
public sealed interface Outcome {
    /** A result set, to be read and closed before the session's next statement. */
    record Rows(QueryRows rows) implements Outcome {}

    /**
     * Completion without a result set.
     *
     * @param rows the number of rows written
     */
    record Done(String message, long rows) implements Outcome {}

    static Outcome done(String message) {
        return new Done(message, 0);
    }
}
