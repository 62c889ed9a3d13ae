package io.polytable.sql.type;

/**
 * An error of the client, or a limit that it exceeded, with its position in the statement's text if known. It has no
 * stack trace: it is an answer, not a failure of the server.
 */
public final class SqlError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The position of an error that has none in the text. */
    public static final int NOWHERE = -1;

    private final SqlCode code;
    private final int position;

    public SqlError(SqlCode code, String message) {
        this(code, message, NOWHERE);
    }

    /**
     * An error at a position.
     *
     * @param position the number of characters before it in the given text, or {@link #NOWHERE}
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

    /** This error with the position, unless it has one already. */
    public SqlError at(int place) {
        return position == NOWHERE ? new SqlError(code, text(), place) : this;
    }
}
