package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.TableName;
import io.polytable.table.column.Value;
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
 * Writes touched rows to their tables as the window's snapshot has them, in batches; a row touched repeatedly within a
 * batch is written once. Not thread-safe.
 */
final class RowRefresher implements Projection.Touched {
    private final FlussCluster cluster;
    private final ProjectionOptions options;
    private final NotesTable notes;
    private final Projection.Window window;
    private final Fence fence;
    private final long position;
    private final AtomicLong written;
    private final Map<TableName, Touched> touched = new LinkedHashMap<>();
    private final List<CompletableFuture<?>> writes = new ArrayList<>();
    private int rows;
    private long bytes;

    private record Touched(ShownTarget target, Set<List<Value>> keys) {}

    /** @param written counts written rows */
    RowRefresher(
            FlussCluster cluster,
            ProjectionOptions options,
            Kept kept,
            Projection.Window window,
            Fence fence,
            long position,
            AtomicLong written) {
        this.cluster = cluster;
        this.options = options;
        this.notes = kept.notes();
        this.window = window;
        this.fence = fence;
        this.position = position;
        this.written = written;
        kept.targets()
                .forEach(target -> touched.put(target.shown().name(), new Touched(target, new LinkedHashSet<>())));
    }

    /** Checks that this server still owns the log. */
    interface Fence {
        /**
         * Returns if it does.
         *
         * @throws io.polytable.table.StoreException if it does not
         */
        void check();
    }

    /** The tables of a projection. */
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

    /** Writes all touched rows to their tables, and then the notes about them. */
    void flush() {
        fence.check();
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

    /** Writes a row again that a fenced owner may have overwritten or removed. */
    void repair(TableWatch.Suspect suspect) {
        // Most removals are our own.
        if (!suspect.isRemoved()
                || window.row(suspect.target().shown(), suspect.key()).isPresent()) {
            row(suspect.target().shown(), suspect.key());
        }
    }

    /** Removes a row of a table if the snapshot does not have it. */
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
