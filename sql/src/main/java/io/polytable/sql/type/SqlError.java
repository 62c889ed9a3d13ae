package io.polytable.sql.type;

/**
 * The client's mistake, or a limit it met. Carries where in the statement's text it shows, if anywhere. It has no stack
 * trace: it is an answer, not a failure of ours.
 */
public final class SqlError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** For errors that belong to no place in the text. */
    public static final int NOWHERE = -1;

    private final SqlCode code;
    private final int position;

    public SqlError(SqlCode code, String message) {
        this(code, message, NOWHERE);
    }

    /**
     * An error at a place in the text.
     *
     * @param position characters before the mistake in the text that was given, or {@link #NOWHERE}
     */
    public SqlError(SqlCode code, String message, int position) {
        super(message, null, false, false);
        this.code = code;
        this.position = position;
    }

    public SqlCode code() {
        return code;
    }

    public int position() {
        return position;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /** The same, at a place unless it has one already. */
    public SqlError at(int place) {
        return position == NOWHERE ? new SqlError(code, text(), place) : this;
    }

    /** The same, of a text that begins so many characters later in a longer one. */
    public SqlError shifted(int offset) {
        return position == NOWHERE || offset == 0 ? this : new SqlError(code, text(), position + offset);
    }
}
