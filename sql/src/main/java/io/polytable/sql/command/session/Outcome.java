package io.polytable.sql.command.session;

import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import java.util.List;

/** The outcome of a statement: a result set, or a count. */
public sealed interface Outcome {
    /** A result set, to be read and closed before the session's next statement. */
    record Rows(QueryRows rows) implements Outcome {}

    /**
     * Completion without a result set.
     *
     * @param rows the number of rows written
     */
    record Done(String message, long rows, List<Notice> notices) implements Outcome {
        public Done {
            notices = List.copyOf(notices);
        }

        public Done(String message, long rows) {
            this(message, rows, List.of());
        }
    }

    /** A warning beside the result: the statement succeeded, but probably not as the client expects. */
    record Notice(SqlCode code, String text) {}

    static Outcome warned(String message, SqlCode code, String text) {
        return new Done(message, 0, List.of(new Notice(code, text)));
    }

    static Outcome done(String message) {
        return new Done(message, 0);
    }
}
