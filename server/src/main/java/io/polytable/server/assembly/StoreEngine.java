package io.polytable.server.assembly;

import io.polytable.frontend.Findings;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.server.run.ProjectionService;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineStatistics;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.state.DamagedFile;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The server's view of the store. */
final class StoreEngine implements RunningStore {
    private static final String COUNTER = "_total";

    private final TableStore store;
    private final List<Engine> partitions;
    private final Runnable closing;
    private final boolean healedByReopening;
    private final ProjectionService projection;

    /**
     * @param partitions the store's partitions, or the store itself if it has none
     * @param closing closes the store and its dependencies
     */
    StoreEngine(
            TableStore store,
            List<Engine> partitions,
            Runnable closing,
            boolean healedByReopening,
            ProjectionService projection) {
        this.store = store;
        this.partitions = partitions;
        this.closing = closing;
        this.healedByReopening = healedByReopening;
        this.projection = projection;
    }

    static StoreEngine of(Engine store) {
        return new StoreEngine(store, List.of(store), store::close, false, ProjectionService.NONE);
    }

    static StoreEngine of(PartitionedStore store) {
        return new StoreEngine(store, store.engines(), store::close, false, ProjectionService.NONE);
    }

    @Override
    public TableStore store() {
        return store;
    }

    /** A failed partition fails all: they are reopened together. */
    @Override
    public Optional<String> failure() {
        return partitions.stream()
                .flatMap(partition -> partition.failure().stream())
                .map(failed -> String.valueOf(failed.getMessage()))
                .findFirst();
    }

    @Override
    public Optional<String> writeRefusal() {
        return partitions.stream()
                .flatMap(partition -> partition.refusal().stream())
                .map(StoreEngine::sentence)
                .findFirst();
    }

    @Override
    public List<String> damagedTables() {
        return partitions.stream()
                .flatMap(partition -> partition.damagedTables().stream())
                .map(String::valueOf)
                .toList();
    }

    private static String sentence(StoreException refusal) {
        String text = String.valueOf(refusal.getMessage());
        return refusal.getCause() instanceof StoreException cause ? text + ": " + sentence(cause) : text;
    }

    @Override
    public boolean isHealedByReopening() {
        return healedByReopening;
    }

    @Override
    public ProjectionService projection() {
        return projection;
    }

    /** Reads every row, which also verifies the checksum of every block. */
    @Override
    public Findings check() {
        List<String> problems = new ArrayList<>(partitions.stream()
                .flatMap(partition -> partition.findDamage().stream())
                .map(DamagedFile::sentence)
                .toList());
        String advice = problems.isEmpty()
                ? ""
                : "; with the server stopped, polytable repair --salvage keeps the readable rows of damaged files";
        List<Table> tables = store.tables();
        long rows = 0;
        try (Snapshot snapshot = store.snapshot()) {
            for (Table table : tables) {
                rows += readAll(snapshot, table, problems);
            }
        }
        return new Findings("Read " + rows + " rows of " + tables.size() + " tables" + advice, problems);
    }

    private static long readAll(Snapshot snapshot, Table table, List<String> problems) {
        long rows = 0;
        try (Cursor cursor = snapshot.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                rows++;
            }
        } catch (StoreException damage) {
            problems.add("Table " + table.name() + " cannot be read after its first " + rows + " rows: "
                    + damage.getMessage());
        }
        return rows;
    }

    @Override
    public Backup.Written backup(Backup.Request request) {
        return Backup.write(partitions, request);
    }

    /** The names of the store's counters decide which of them are monotonic. */
    @Override
    public void sample(MetricSink sink) {
        projection.sample(sink);
        for (int partition = 0; partition < partitions.size(); partition++) {
            Labels labels =
                    partitions.size() == 1 ? Labels.NONE : Labels.of("group", PartitionDirectories.label(partition));
            sample(sink, labels, partitions.get(partition).statistics());
        }
    }

    @Override
    public long rowBytes() {
        return sum("memory_bytes");
    }

    @Override
    public long blockBytes() {
        return sum("state_cache_bytes") + sum("state_memtable_bytes");
    }

    private long sum(String statistic) {
        return partitions.stream()
                .mapToLong(partition -> partition.statistics().values().getOrDefault(statistic, 0L))
                .sum();
    }

    private static void sample(MetricSink sink, Labels labels, EngineStatistics statistics) {
        statistics.values().forEach((name, value) -> {
            if (name.endsWith(COUNTER)) {
                String bare = name.substring(0, name.length() - COUNTER.length());
                sink.counter(StoreMetrics.of(bare), labels, (double) value);
            } else {
                sink.gauge(StoreMetrics.of(name), labels, (double) value);
            }
        });
    }

    @Override
    public void close() {
        closing.run();
    }
}
