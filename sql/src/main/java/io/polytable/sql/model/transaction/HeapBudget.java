package io.polytable.sql.model.transaction;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the statements of all sessions may hold on the heap together: rows that they collect before they write, and the reads
 * and writes of open transactions. The sizes are estimates on the safe side; beyond the budget a statement fails, and the
 * process lives.
 */
public final class HeapBudget {
    /** Of the heap; the rest is the store's, and that of requests and results. */
    private static final long HEAP_SHARE = 6;

    /** However large the heap is: no statement needs more, and its rows go into one commit. */
    private static final long BYTES_MAX = 1L << 30;

    /** An object with its header, and a reference to it. */
    private static final long OBJECT_BYTES = 32;

    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();

    public HeapBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A share of this process' heap. */
    public static HeapBudget ofHeap() {
        return new HeapBudget(Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /**
     * Takes memory until it is given back.
     *
     * @throws SqlError {@link SqlCode#OUT_OF_MEMORY} when all together would hold too much
     */
    public void take(long bytes) {
        if (held.addAndGet(bytes) > bytesMax) {
            held.addAndGet(-bytes);
            throw new SqlError(
                    SqlCode.OUT_OF_MEMORY,
                    "statements and open transactions hold more than the " + (bytesMax >> 20)
                            + " MB of memory that they may; write fewer rows at once");
        }
    }

    public void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** What is taken at the moment. */
    public long heldBytes() {
        return held.get();
    }

    /** About what a row takes. */
    public static long sizeOf(@Nullable Object[] row) {
        long bytes = OBJECT_BYTES + 8L * row.length;
        for (Object value : row) {
            bytes += sizeOf(value);
        }
        return bytes;
    }

    private static long sizeOf(@Nullable Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof String text) {
            return 2 * OBJECT_BYTES + 2L * text.length();
        }
        if (value instanceof Bytes bytes) {
            return 2 * OBJECT_BYTES + bytes.length();
        }
        return value instanceof BigDecimal ? 4 * OBJECT_BYTES : OBJECT_BYTES;
    }
}
