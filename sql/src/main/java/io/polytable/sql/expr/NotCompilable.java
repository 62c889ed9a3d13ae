package io.polytable.sql.expr;

/** An expression that only DuckDB computes. */
public final class NotCompilable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotCompilable(String what) {
        super(what, null, false, false);
    }
}
