package io.polytable.sql.expr;

/** An expression that only DuckDB computes. */
public final class NotOurs extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotOurs(String what) {
        super(what, null, false, false);
    }
}
