package io.polytable.cells;

import io.polytable.table.Limits;

/** The bounds that every cell store keeps; beyond them {@link CellError#TOO_LARGE} or {@link CellError#BAD_SPEC}. */
public final class CellLimits {
    /** As HBase. */
    public static final int ROW_BYTES_MAX = Short.MAX_VALUE;

    public static final int FAMILY_BYTES_MAX = 127;

    public static final int QUALIFIER_BYTES_MAX = 256 << 10;

    /** The default of HBase's client for a cell is 10 MiB. */
    public static final int VALUE_BYTES_MAX = 64 << 20;

    public static final int EDITS_PER_ROW_WRITE_MAX = 100_000;

    public static final int WRITES_PER_BATCH_MAX = 100_000;

    /** All values of one batch together. */
    public static final long BATCH_BYTES_MAX = 256L << 20;

    /**
     * The values that the increments and appends of one row write may produce. They are stored twice, once with the
     * write's nonce.
     */
    public static final long COMPUTED_BYTES_MAX = Limits.BATCH_BYTES_MAX / 2;

    /**
     * A row read as a whole; larger rows must be read by {@code CellTable.scan}. Several such reads may run at once,
     * so the heap size bounds it, too.
     */
    public static final long ROW_READ_BYTES_MAX = Math.min(256L << 20, Limits.STRING_BYTES_MAX);

    public static final int FAMILIES_MAX = 500;

    public static final int SPLITS_MAX = 100_000;

    /** Columns that a selection may name. */
    public static final int COLUMNS_PER_READ_MAX = 100_000;

    private CellLimits() {}
}
