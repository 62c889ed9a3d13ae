package io.polytable.frontend.view;

/** The set of tables to project has changed: the {@link Projection} must be replaced. */
public final class TablesChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TablesChangedException(String text) {
        super(text);
    }
}
