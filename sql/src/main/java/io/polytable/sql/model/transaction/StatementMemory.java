package io.polytable.sql.model.transaction;

import io.polytable.frontend.limit.Budget;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Charges the heap that statements use: rows that they collect before they write, and reads and writes of open
 * transactions. Sizes are conservative estimates. Beyond the budget of all sessions a statement fails, so that the
 * process does not run out of memory.
 */
public final class StatementMemory {
    /** An object with its header, and a reference to it. */
    private static final long OBJECT_BYTES = 32;

    private StatementMemory() {}

    /**
     * Takes memory from the budget until it is given back.
     *
     * @throws SqlError {@link SqlCode#OUT_OF_MEMORY} when the total would exceed the budget
     */
    public static void take(Budget budget, long bytes) {
        if (!budget.tryTake(bytes)) {
            throw new SqlError(
                    SqlCode.OUT_OF_MEMORY,
                    "statements and open transactions would hold more memory than they may; write fewer rows at once");
        }
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
