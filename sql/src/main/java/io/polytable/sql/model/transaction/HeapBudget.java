package io.polytable.sql.model.transaction;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The heap budget of all sessions together: rows that statements collect before they write, and reads and writes of
 * open transactions. Sizes are conservative estimates. Beyond the budget a statement fails, so that the process does
 * not run out of memory.
 */
public final class HeapBudget {
    /** The divisor of the heap; the rest is for the store, requests and results. */
    private static final long HEAP_SHARE = 6;

    /** Upper limit for any heap: no statement needs more, and its rows go into one commit. */
    private static final long BYTES_MAX = 1L << 30;

    /** An object with its header, and a reference to it. */
    private static final long OBJECT_BYTES = 32;

    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();

    public HeapBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A budget of a share of the heap of this process. */
    public static HeapBudget ofHeap() {
        return new HeapBudget(Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /**
     * Takes memory from the budget until it is given back.
     *
     * @throws SqlError {@link SqlCode#OUT_OF_MEMORY} when the total would exceed the budget
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

    /** The memory currently taken. */
    public long heldBytes() {
        return held.get();
    }

    /** The approximate size of a row. */
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
