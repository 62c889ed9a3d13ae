package io.polytable.table.view;

/** The tables to be shown are not those any more that a {@link Projection} was made for: it is time for another one. */
public final class TablesChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TablesChangedException(String text) {
        super(text);
    }
}
