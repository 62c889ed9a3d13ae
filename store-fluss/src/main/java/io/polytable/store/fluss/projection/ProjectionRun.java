package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.Follower;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of keeping the tables up to date, until something fails. Single-threaded. */
final class ProjectionRun {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionRun.class);
    private static final Duration DURABLE_MAX = Duration.ofSeconds(30);

    private final FlussCluster cluster;
    private final ProjectionOptions options;
    private final ProjectionProgress progress;
    private final TableStore store;
    private final FollowedViews views;
    private final RowRefresher.Kept kept;

    ProjectionRun(
            FlussCluster cluster,
            String name,
            ProjectionOptions options,
            ProjectionProgress progress,
            TableStore store,
            FollowedViews views) {
        this.cluster = cluster;
        this.options = options;
        this.progress = progress;
        this.store = store;
        this.views = views;
        if (!name.isEmpty()) {
            new OutdatedTables(cluster, name, this::awaitDurable).drop(views.views());
        }
        List<ShownTarget> targets = views.views().stream()
                .map(view -> ShownTarget.open(cluster, view, options))
                .toList();
        this.kept = new RowRefresher.Kept(targets, NotesTable.open(cluster, name));
    }

    void run(BooleanSupplier isOver) throws InterruptedException {
        awaitDurable();
        // Nothing that a former owner projected is later than this.
        long floor = store.position().records();
        try (NotesTable notes = kept.notes()) {
            notes.at(floor);
            SavedProgress saved = notes.begin();
            try (TableWatch watch = TableWatch.open(cluster, kept.targets(), saved.verified(), floor)) {
                run(isOver, watch, saved.position().filter(position -> watch.isGapless()));
            }
        }
    }

    private void run(BooleanSupplier isOver, TableWatch watch, Optional<Position> saved) throws InterruptedException {
        Optional<Position> from = saved;
        while (!isOver.getAsBoolean()) {
            if (from.isEmpty() || progress.isRebuildWanted()) {
                from = Optional.of(rebuild(watch));
            }
            try {
                from = follow(from.get(), watch, isOver);
            } catch (StoreException e) {
                if (e.error() != StoreError.POSITION_EXPIRED && e.error() != StoreError.BAD_POSITION) {
                    throw e;
                }
                LOG.warn("The tables in Fluss cannot continue from {}: everything is rewritten", from.get(), e);
                from = Optional.empty();
            }
        }
    }

    /** Returns where to continue; empty if the tables must be rebuilt. */
    private Optional<Position> follow(Position from, TableWatch watch, BooleanSupplier isOver)
            throws InterruptedException {
        Position shown = from;
        try (Follower follower = Follower.after(store, from, views, kept.notes(), options.batchRows())) {
            while (!isOver.getAsBoolean() && !progress.isRebuildWanted()) {
                long beganNanos = System.nanoTime();
                progress.begin();
                if (kept.notes().isOverwritten()) {
                    LOG.warn("A fenced server wrote to the notes about the tables in Fluss: they are rebuilt");
                    return Optional.empty();
                }
                List<TableWatch.Suspect> suspects = watch.poll();
                if (!suspects.isEmpty() || !store.position().equals(shown)) {
                    shown = window(follower, watch, suspects);
                }
                progress.end(shown);
                long left = options.interval().toNanos() - (System.nanoTime() - beganNanos);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
            }
        }
        return Optional.of(shown);
    }

    /** Processes one window, and repairs the suspects; returns its end. */
    private Position window(Follower follower, TableWatch watch, List<TableWatch.Suspect> found) {
        try (Snapshot snapshot = store.snapshot()) {
            awaitDurable();
            RowRefresher refresher = refresher(snapshot);
            try (Follower.Window window = follower.window(snapshot, refresher)) {
                for (List<TableWatch.Suspect> some = found; !some.isEmpty(); some = watch.poll()) {
                    some.forEach(suspect -> repair(window, suspect));
                }
                Map<String, TableOffsets> verified = watch.offsets();
                window.follow();
                return end(window, snapshot.position(), verified);
            }
        }
    }

    /** Writes a row again that a fenced owner may have overwritten or removed. */
    private static void repair(Follower.Window window, TableWatch.Suspect suspect) {
        // Most removals are our own.
        if (!suspect.isRemoved()
                || window.shown(suspect.target().shown(), suspect.key()).isPresent()) {
            window.row(suspect.target().shown(), suspect.key());
        }
    }

    private RowRefresher refresher(Snapshot end) {
        long position = end.position().records();
        kept.notes().at(position);
        return new RowRefresher(cluster, options, kept, this::awaitDurable, position, progress.rows());
    }

    private Position end(Follower.Window window, Position position, Map<String, TableOffsets> verified) {
        window.end();
        awaitDurable();
        kept.notes().savePosition(position, verified);
        return position;
    }

    /**
     * Waits until everything committed is durable and this server certainly owns the log. Commits that are not durable may
     * be lost, and those of another owner are not known here: no row may show either.
     */
    private void awaitDurable() {
        try {
            store.latest().durable().toCompletableFuture().get(DURABLE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException known
                    ? known
                    : new IllegalStateException("The store does not become durable", e);
        } catch (TimeoutException e) {
            throw new StoreException(StoreError.IO, "The log does not acknowledge", Map.of(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreError.CLOSED, "The projection is being closed");
        }
    }

    /** Writes everything, removes surplus rows, and returns where to continue. */
    private Position rebuild(TableWatch watch) {
        LOG.info("The tables in Fluss are rewritten");
        progress.beginRebuild();
        progress.begin();
        try (Snapshot snapshot = store.snapshot();
                Follower follower = Follower.ofEverything(views, kept.notes(), options.batchRows())) {
            awaitDurable();
            RowRefresher refresher = refresher(snapshot);
            kept.notes().forgetPosition();
            // What was written up to here is rewritten.
            Map<String, TableOffsets> verified = watch.offsets();
            try (Follower.Window window = follower.window(snapshot, refresher)) {
                window.everything();
                new PresentRows(cluster, options.quiet(), (target, key) -> {
                            if (window.shown(target.shown(), key).isEmpty()) {
                                refresher.remove(target, key);
                            }
                        })
                        .walk(kept.targets());
                refresher.awaitWrites();
                Position position = end(window, snapshot.position(), verified);
                progress.end(position);
                progress.endRebuild();
                return position;
            }
        }
    }
}
