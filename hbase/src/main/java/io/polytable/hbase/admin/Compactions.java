package io.polytable.hbase.admin;

import io.polytable.frontend.work.Background;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.table.TableName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the compactions that clients request, one table at a time in the background. Clients request a compaction per
 * region, but a table is compacted as a whole, so requests for a table that is already waiting are merged.
 */
final class Compactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

    private final TableChanges changes;
    private final Map<TableName, Boolean> waiting = new LinkedHashMap<>();
    private Optional<TableName> running = Optional.empty();
    private final Background background = new Background("hbase-compaction", Duration.ZERO);

    Compactions(TableChanges changes) {
        this.changes = changes;
    }

    /** Enqueues a compaction, which also removes delete markers if {@code markers} is set. */
    synchronized void request(TableName table, boolean markers) {
        boolean known = waiting.containsKey(table);
        waiting.merge(table, markers, Boolean::logicalOr);
        if (!known) {
            background.now(this::runNext);
        }
    }

    /** Whether a compaction of the table is waiting or running. */
    synchronized boolean isPending(TableName table) {
        return waiting.containsKey(table) || running.filter(table::equals).isPresent();
    }

    private void runNext() {
        TableName table;
        boolean markers;
        synchronized (this) {
            Map.Entry<TableName, Boolean> first = waiting.entrySet().iterator().next();
            table = first.getKey();
            markers = first.getValue();
            waiting.remove(table);
            running = Optional.of(table);
        }
        try {
            changes.compact(table, markers);
            if (markers) {
                changes.majorCompacted(table);
            }
        } catch (RuntimeException failed) {
            LOG.warn("A compaction of {} failed", table, failed);
        } finally {
            synchronized (this) {
                running = Optional.empty();
            }
        }
    }

    @Override
    public void close() {
        background.close();
    }
}
