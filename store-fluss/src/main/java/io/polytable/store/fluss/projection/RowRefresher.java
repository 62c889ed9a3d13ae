package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.TableName;
import io.polytable.table.Value;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings touched rows into their tables as the window's snapshot has them, many at a time; of a row that is touched again
 * and again meanwhile, once. One thread at a time.
 */
final class RowRefresher implements Projection.Touched {
    private final FlussCluster cluster;
    private final ProjectionOptions options;
    private final NotesTable notes;
    private final Projection.Window window;
    private final long position;
    private final AtomicLong written;
    private final Map<TableName, Touched> touched = new LinkedHashMap<>();
    private final List<CompletableFuture<?>> writes = new ArrayList<>();
    private int rows;
    private long bytes;

    private record Touched(ShownTarget target, Set<List<Value>> keys) {}

    /** @param written counts the rows that were written */
    RowRefresher(
            FlussCluster cluster,
            ProjectionOptions options,
            Kept kept,
            Projection.Window window,
            long position,
            AtomicLong written) {
        this.cluster = cluster;
        this.options = options;
        this.notes = kept.notes();
        this.window = window;
        this.position = position;
        this.written = written;
        kept.targets()
                .forEach(target -> touched.put(target.shown().name(), new Touched(target, new LinkedHashSet<>())));
    }

    /** The tables a projection is kept in. */
    record Kept(List<ShownTarget> targets, NotesTable notes) {}

    @Override
    public void row(ShownTable table, List<Value> key) {
        Touched of = touched.get(table.name());
        if (of == null) {
            throw new IllegalStateException("not a table of this projection: " + table.name());
        }
        if (of.keys().add(key) && ++rows >= options.batchRows()) {
            flush();
        }
    }

    /** All rows told of so far are in their tables, and what was noted of them is kept. */
    void flush() {
        for (Touched of : touched.values()) {
            for (List<Value> key : of.keys()) {
                refresh(of.target(), key);
            }
            of.keys().clear();
        }
        rows = 0;
        awaitWrites();
        notes.flush();
    }

    private void refresh(ShownTarget target, List<Value> key) {
        Optional<List<Value>> row = window.row(target.shown(), key);
        writes.add(row.isPresent() ? target.put(row.get(), position) : target.remove(key));
        bytes += row.orElse(key).stream().mapToLong(FlussValues::sizeBytes).sum();
        if (bytes >= options.batchBytes()) {
            awaitWrites();
        }
    }

    /** A row that a table holds: it goes when the snapshot has none such. */
    void removeUnlessShown(ShownTarget target, List<Value> key) {
        if (window.row(target.shown(), key).isEmpty()) {
            writes.add(target.remove(key));
            if (writes.size() >= options.batchRows()) {
                awaitWrites();
            }
        }
    }

    void awaitWrites() {
        cluster.await(CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)));
        written.addAndGet(writes.size());
        writes.clear();
        bytes = 0;
    }
}
