package io.polytable.hbase.admin;

import io.polytable.hbase.catalog.TableChanges;
import io.polytable.table.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compactions that clients asked for, one table after the other, in the background. A client asks for each region, a table
 * is compacted whole: requests for one that waits already are the same request.
 */
final class Compactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

    private final TableChanges changes;
    private final Map<TableName, Boolean> waiting = new LinkedHashMap<>();
    private Optional<TableName> running = Optional.empty();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "hbase-compaction");
        thread.setDaemon(true);
        return thread;
    });

    Compactions(TableChanges changes) {
        this.changes = changes;
    }

    /** Removes delete markers too if asked to. */
    synchronized void request(TableName table, boolean markers) {
        boolean known = waiting.containsKey(table);
        waiting.merge(table, markers, Boolean::logicalOr);
        if (!known) {
            executor.execute(this::runNext);
        }
    }

    /** Whether the table is compacted now, or soon. */
    synchronized boolean concerns(TableName table) {
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
        executor.shutdownNow();
    }
}
