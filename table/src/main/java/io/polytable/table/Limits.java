package io.polytable.table;

/**
 * Limits of every store; beyond them {@link StoreError#TOO_LARGE}.
 *
 * <p>Two of them depend on the heap, since every part of a process must agree on the size of a value. This class is at
 * the bottom of all modules, so it is the one that asks for the heap's size; the memory plan, which assigns all of it,
 * asks here.
 */
public final class Limits {
    /**
     * A client's value: 512 MiB as in Redis, but at most a sixteenth of the heap. The receiver, a batch, the rows in
     * memory and the writer of the state each hold the value in one array. The garbage collector does not move such
     * large arrays, so fragmentation demands far more heap than their sum.
     */
    public static final int STRING_BYTES_MAX = (int) Math.min(512L << 20, heapBytes() / 16);

    /** A stored value: a client's value plus the bytes around it. */
    public static final int VALUE_BYTES_MAX = STRING_BYTES_MAX + (8 << 20);

    /** HBase allows rows of 32 KiB and Redis keys of 512 MiB; keys of more than this are a mistake everywhere. */
    public static final int KEY_BYTES_MAX = 1 << 20;

    /** One commit: a value of the largest size, and half as much again. */
    public static final int BATCH_BYTES_MAX = (int) Math.min(1L << 30, VALUE_BYTES_MAX + heapBytes() / 32);

    public static final int COLUMNS_MAX = 1000;

    /** Names of namespaces, tables and columns: the limit of file names. */
    public static final int NAME_CHARS_MAX = 255;

    public static final int TABLES_MAX = 10_000;

    /**
     * Open snapshots; beyond it {@link StoreError#TOO_MANY}. Protocols whose clients can hold snapshots limit their own
     * number, such that background work always gets one.
     */
    public static final int SNAPSHOTS_MAX = 512;

    private Limits() {}

    /** The size of this process' heap. Only the memory plan divides it. */
    public static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }
}
