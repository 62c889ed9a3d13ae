package io.polytable.table;

/** The bounds every store keeps; beyond them {@link StoreError#TOO_LARGE}. */
public final class Limits {
    /**
     * A client's value: 512 MiB as in Redis, but no more than a sixteenth of the heap. On its way a value is held by whoever
     * received it, by a batch, by the rows in memory and by what carries it into the state, each time in one array. The
     * collector does not move such arrays, so the heap must have far more room than their sum, or none fits between them.
     */
    public static final int STRING_BYTES_MAX = (int) Math.min(512L << 20, heapBytes() / 16);

    /** A value as it is stored: what stands around the client's comes on top. */
    public static final int VALUE_BYTES_MAX = STRING_BYTES_MAX + (8 << 20);

    /** HBase allows rows of 32 KiB and Redis keys of 512 MiB; keys of more than this are a mistake everywhere. */
    public static final int KEY_BYTES_MAX = 1 << 20;

    /** In tables whose rows carry deadlines: the key stands behind a time and a table's number in the index of deadlines. */
    public static final int EXPIRING_KEY_BYTES_MAX = KEY_BYTES_MAX - 32;

    /** What is committed as one: a value of the largest size, and half as much again. */
    public static final int BATCH_BYTES_MAX = (int) Math.min(1L << 30, VALUE_BYTES_MAX + heapBytes() / 32);

    public static final int COLUMNS_MAX = 1000;

    /** Names of namespaces, tables and columns: what file systems allow for a file's name. */
    public static final int NAME_CHARS_MAX = 255;

    public static final int TABLES_MAX = 10_000;

    private Limits() {}

    private static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }
}
