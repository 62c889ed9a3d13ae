package io.polytable.redis.model.upkeep;

import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The damaged rows that background work has met and passed. Each is logged once, though every tick may meet it again.
 * Rows beyond the limit are neither remembered nor logged. Not thread safe.
 */
final class DamagedRows {
    static final int REMEMBERED_MAX = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(DamagedRows.class);

    private final Set<Bytes> rows = new HashSet<>();
    private boolean isLimitLogged;

    /**
     * Whether the failure comes from one row's bytes, so that others can still be served. A damaged header may also name
     * a shard of another partition for its elements, which makes a removal fail with CROSS_PARTITION.
     */
    static boolean isDamage(StoreException failure) {
        return switch (failure.error()) {
            case CORRUPT, NEWER_FORMAT, CROSS_PARTITION -> true;
            case NO_SUCH_TABLE,
                    TABLE_EXISTS,
                    BAD_SPEC,
                    BAD_VALUE,
                    TOO_LARGE,
                    TOO_MANY,
                    NO_ROOM,
                    POSITION_EXPIRED,
                    BAD_POSITION,
                    IN_USE,
                    IO,
                    FAILED,
                    CLOSED -> false;
        };
    }

    /** Logs and remembers the row; returns whether it did, which is once per row. */
    boolean add(Table table, Bytes row, StoreException damage) {
        if (rows.contains(row)) {
            return false;
        }
        if (rows.size() == REMEMBERED_MAX) {
            if (!isLimitLogged) {
                isLimitLogged = true;
                LOG.warn("More than {} rows are damaged; others are not logged", REMEMBERED_MAX);
            }
            return false;
        }
        LOG.warn(
                "Housekeeping skips a damaged row of {}: {}; run polytable check ({})",
                table.name(),
                row,
                damage.getMessage());
        return rows.add(row.copy());
    }

    /** Forgets a row that was repaired or is gone. */
    void remove(Bytes row) {
        rows.remove(row);
    }

    int size() {
        return rows.size();
    }
}
