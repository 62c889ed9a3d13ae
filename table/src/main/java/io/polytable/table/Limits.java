package io.polytable.table;

/** The bounds every store keeps; beyond them {@link StoreError#TOO_LARGE}. */
public final class Limits {
    /** A Redis string may have 512 MiB; its key and header come on top. */
    public static final int VALUE_BYTES_MAX = 520 << 20;

    /** HBase allows rows of 32 KiB and Redis keys of 512 MiB; keys of more than this are a mistake everywhere. */
    public static final int KEY_BYTES_MAX = 1 << 20;

    public static final int BATCH_BYTES_MAX = 1 << 30;

    public static final int COLUMNS_MAX = 1000;

    /** Names of namespaces, tables and columns: what file systems allow for a file's name. */
    public static final int NAME_CHARS_MAX = 255;

    public static final int TABLES_MAX = 10_000;

    private Limits() {}
}
