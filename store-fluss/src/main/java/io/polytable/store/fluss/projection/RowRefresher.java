package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.Follower;
import io.polytable.frontend.view.View;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the rows that a window reports to their tables, in batches. Not thread-safe. */
final class RowRefresher implements Follower.Receiver {
    private final FlussCluster cluster;
    private final ProjectionOptions options;
    private final NotesTable notes;
    private final Fence fence;
    private final long position;
    private final AtomicLong written;
    private final Map<TableName, ShownTarget> targets = new HashMap<>();
    private final List<CompletableFuture<?>> writes = new ArrayList<>();
    private long bytes;

    /**
     * @param position of the window's end, which each row carries
     * @param written counts written rows
     */
    RowRefresher(
            FlussCluster cluster,
            ProjectionOptions options,
            Kept kept,
            Fence fence,
            long position,
            AtomicLong written) {
        this.cluster = cluster;
        this.options = options;
        this.notes = kept.notes();
        this.fence = fence;
        this.position = position;
        this.written = written;
        kept.targets().forEach(target -> targets.put(target.shown().name(), target));
    }

    /** Checks that this server still owns the log. */
    interface Fence {
        /**
         * Returns if it does.
         *
         * @throws StoreException if it does not
         */
        void check();
    }

    /** The tables of a projection. */
    record Kept(List<ShownTarget> targets, NotesTable notes) {}

    @Override
    public void begin() {
        fence.check();
    }

    @Override
    public void row(View view, List<Value> key, Optional<List<Value>> row) {
        ShownTarget target = targets.get(view.name());
        if (target == null) {
            throw new IllegalStateException("not a table of this projection: " + view.name());
        }
        writes.add(row.isPresent() ? target.put(row.get(), position) : target.remove(key));
        bytes += row.orElse(key).stream().mapToLong(FlussValues::sizeBytes).sum();
        if (bytes >= options.batchBytes()) {
            awaitWrites();
        }
    }

    /** Writes the notes about the rows after these. */
    @Override
    public void end() {
        awaitWrites();
        notes.flush();
    }

    /** Removes a row of a table that the window's end does not have. */
    void remove(ShownTarget target, List<Value> key) {
        writes.add(target.remove(key));
        if (writes.size() >= options.batchRows()) {
            awaitWrites();
        }
    }

    void awaitWrites() {
        cluster.await(CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)));
        written.addAndGet(writes.size());
        writes.clear();
        bytes = 0;
    }
}
