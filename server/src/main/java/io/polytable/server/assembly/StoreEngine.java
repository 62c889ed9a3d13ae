package io.polytable.server.assembly;

import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.Engine;
import io.polytable.server.run.Findings;
import io.polytable.store.Backup;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The store as the server sees it. */
final class StoreEngine implements Engine {
    private static final String PREFIX = "polytable_store_";
    private static final String COUNTER = "_total";
    private static final RowKey NO_ROW = RowKey.whole(Bytes.EMPTY);

    private final io.polytable.store.Engine store;
    private final Runnable closing;
    private final boolean healedByReopening;

    StoreEngine(io.polytable.store.Engine store) {
        this(store, store::close, false);
    }

    /** @param closing closes the store and what belongs to it */
    StoreEngine(io.polytable.store.Engine store, Runnable closing, boolean healedByReopening) {
        this.store = store;
        this.closing = closing;
        this.healedByReopening = healedByReopening;
    }

    @Override
    public TableStore store() {
        return store;
    }

    /** A failed store refuses every read, so any read tells. */
    @Override
    public Optional<String> failure() {
        try {
            store.tables().stream().findFirst().ifPresent(table -> store.read(table, NO_ROW));
            return Optional.empty();
        } catch (StoreException failed) {
            return Optional.of(String.valueOf(failed.getMessage()));
        }
    }

    @Override
    public boolean isHealedByReopening() {
        return healedByReopening;
    }

    /** Every row is read, which compares the checksum of every block on the way. */
    @Override
    public Findings check() {
        List<String> problems = new ArrayList<>();
        List<Table> tables = store.tables();
        long rows = 0;
        try (Snapshot snapshot = store.snapshot()) {
            for (Table table : tables) {
                rows += readAll(snapshot, table, problems);
            }
        }
        return new Findings("Read " + rows + " rows of " + tables.size() + " tables", problems);
    }

    private static long readAll(Snapshot snapshot, Table table, List<String> problems) {
        long rows = 0;
        try (Cursor cursor = snapshot.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                rows++;
            }
        } catch (StoreException damage) {
            problems.add("Table " + table.name() + " cannot be read behind its first " + rows + " rows: "
                    + damage.getMessage());
        }
        return rows;
    }

    @Override
    public void backup(Path target) {
        Backup.write(store, target);
    }

    /** The store's own names say which numbers only grow. */
    @Override
    public void sample(MetricSink sink) {
        store.statistics().values().forEach((name, value) -> {
            if (name.endsWith(COUNTER)) {
                String bare = name.substring(0, name.length() - COUNTER.length());
                sink.counter(metric(bare), Labels.NONE, (double) value);
            } else {
                sink.gauge(metric(name), Labels.NONE, (double) value);
            }
        });
    }

    private static Metric metric(String name) {
        return new Metric(PREFIX + name, "The store's " + name.replace('_', ' '));
    }

    @Override
    public void close() {
        closing.run();
    }
}
