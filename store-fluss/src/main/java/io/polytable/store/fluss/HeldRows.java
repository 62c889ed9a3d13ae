package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import io.polytable.store.fluss.ownership.OwnershipFault;
import io.polytable.store.fluss.ownership.RowSpan;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads rows that the log is known to contain. A lookup may lag behind an acknowledgement, so a row that it does not
 * show is not necessarily missing. It is missing once a later row is visible: lookups show writes in the order of their
 * offsets.
 */
final class HeldRows {
    private final LogRows rows;
    private final Supplier<List<RowSpan>> log;
    private final Environment environment;
    private final Duration visibleMax;

    /**
     * The rows of a log.
     *
     * @param log the spans of the log; the last contains what was acknowledged so far
     * @param visibleMax how long an acknowledged row may take to become visible
     */
    HeldRows(LogRows rows, Supplier<List<RowSpan>> log, Environment environment, Duration visibleMax) {
        this.rows = rows;
        this.log = log;
        this.environment = environment;
        this.visibleMax = visibleMax;
    }

    /**
     * Reads the row, waiting for it if that may help.
     *
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#CORRUPT} if it is missing, {@link
     *     io.polytable.table.StoreError#IO} if that cannot be decided in time
     */
    LogRow read(LogKey key) {
        return rows.read(key).orElseGet(() -> await(key));
    }

    /** Waits for a row that a lookup did not show. */
    LogRow await(LogKey key) {
        long deadline = environment.nanoTime() + visibleMax.toNanos();
        while (true) {
            // In this order: once a later row is visible, a read shows everything there is.
            boolean isCaughtUp = isNewestShown();
            var row = rows.read(key);
            if (row.isPresent()) {
                return row.get();
            }
            if (isCaughtUp || !isHeld(key)) {
                throw OwnershipFault.missing(key);
            }
            if (environment.nanoTime() > deadline) {
                throw FlussFault.notShown(key, visibleMax);
            }
            environment.pause(1);
        }
    }

    /** Rows of former owners were visible before this owner began. */
    private boolean isNewestShown() {
        List<RowSpan> spans = log.get();
        RowSpan own = spans.get(spans.size() - 1);
        return own.isEmpty() || rows.read(own.key(own.lastSeq())).isPresent();
    }

    private boolean isHeld(LogKey key) {
        return log.get().stream().anyMatch(span -> span.holds(key));
    }
}
