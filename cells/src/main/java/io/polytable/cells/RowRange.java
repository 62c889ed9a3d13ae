package io.polytable.cells;

import io.polytable.table.Bytes;

/** Row keys from {@code from} (inclusive) to {@code to} (exclusive); empty means from the first or to the last. */
public record RowRange(Bytes from, Bytes to) {
    public static final RowRange ALL = new RowRange(Bytes.EMPTY, Bytes.EMPTY);

    private static final Bytes ZERO = Bytes.of(new byte[1]);

    /** The one row. */
    public static RowRange of(Bytes row) {
        return new RowRange(row, after(row));
    }

    /** All rows whose keys start with the prefix. */
    public static RowRange prefix(Bytes prefix) {
        return new RowRange(prefix, prefix.successorOfPrefix());
    }

    /** The smallest row key after this one: turns an inclusive bound into an exclusive one. */
    public static Bytes after(Bytes row) {
        return row.concat(ZERO);
    }

    public boolean contains(Bytes row) {
        return row.compareTo(from) >= 0 && (to.isEmpty() || row.compareTo(to) < 0);
    }

    public boolean isEmpty() {
        return !to.isEmpty() && from.compareTo(to) >= 0;
    }

    /** The intersection, possibly empty. */
    public RowRange intersection(RowRange other) {
        Bytes start = from.compareTo(other.from) >= 0 ? from : other.from;
        Bytes end = to.isEmpty() ? other.to : other.to.isEmpty() || to.compareTo(other.to) <= 0 ? to : other.to;
        return new RowRange(start, end);
    }
}
