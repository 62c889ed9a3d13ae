package io.polytable.sql.expr;

/** Thrown for an expression that only DuckDB evaluates. */
public final class NotCompilable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotCompilable(String what) {
        super(what, null, false, false);
    }
}
