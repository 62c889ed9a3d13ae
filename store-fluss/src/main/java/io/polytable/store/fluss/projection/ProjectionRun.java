package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import io.polytable.store.group.PositionVector;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import io.polytable.table.feed.Change;
import io.polytable.table.view.Projection;
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
    private final Projection projection;
    private final RowRefresher.Kept kept;

    ProjectionRun(
            FlussCluster cluster,
            String name,
            ProjectionOptions options,
            ProjectionProgress progress,
            TableStore store,
            Projection projection) {
        this.cluster = cluster;
        this.options = options;
        this.progress = progress;
        this.store = store;
        this.projection = projection;
        if (!name.isEmpty()) {
            new OutdatedTables(cluster, name, this::awaitDurable).drop(projection.tables());
        }
        List<ShownTarget> targets = projection.tables().stream()
                .map(table -> ShownTarget.open(cluster, table, options))
                .toList();
        this.kept = new RowRefresher.Kept(targets, NotesTable.open(cluster, name));
    }

    void run(BooleanSupplier isOver) throws InterruptedException {
        awaitDurable();
        // Nothing that a former owner projected is later than this.
        long floor = PositionVector.of(store.position()).records();
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
        Projection.Session session = projection.begin(kept.notes());
        try (WindowFeeds feeds = WindowFeeds.open(store, projection.sources(), from)) {
            while (!isOver.getAsBoolean() && !progress.isRebuildWanted()) {
                long beganNanos = System.nanoTime();
                progress.begin();
                if (kept.notes().isOverwritten()) {
                    LOG.warn("A fenced server wrote to the notes about the tables in Fluss: they are rebuilt");
                    return Optional.empty();
                }
                List<TableWatch.Suspect> suspects = watch.poll();
                if (!suspects.isEmpty() || !store.position().equals(shown)) {
                    shown = window(session, feeds, watch, suspects);
                }
                progress.end(shown);
                long left = options.interval().toNanos() - (System.nanoTime() - beganNanos);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
            }
        }
        return Optional.of(shown);
    }

    /** Processes one window, and repairs the suspects; returns its end. */
    private Position window(
            Projection.Session session, WindowFeeds feeds, TableWatch watch, List<TableWatch.Suspect> found) {
        try (Snapshot snapshot = store.snapshot()) {
            awaitDurable();
            PositionVector end = PositionVector.of(snapshot.position());
            Projection.Window window = session.window(snapshot);
            RowRefresher refresher = refresher(window, end.records());
            for (List<TableWatch.Suspect> some = found; !some.isEmpty(); some = watch.poll()) {
                some.forEach(refresher::repair);
            }
            Map<String, TableOffsets> verified = watch.offsets();
            for (List<Change> chunk = feeds.chunk(end); !chunk.isEmpty(); chunk = feeds.chunk(end)) {
                window.touchedBy(chunk, refresher);
                refresher.flush();
            }
            return end(window, refresher, snapshot.position(), verified);
        }
    }

    private RowRefresher refresher(Projection.Window window, long position) {
        kept.notes().at(position);
        return new RowRefresher(cluster, options, kept, window, this::awaitDurable, position, progress.rows());
    }

    private Position end(
            Projection.Window window, RowRefresher refresher, Position position, Map<String, TableOffsets> verified) {
        window.end();
        refresher.flush();
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
        try (Snapshot snapshot = store.snapshot()) {
            awaitDurable();
            kept.notes().at(PositionVector.of(snapshot.position()).records());
            kept.notes().forgetPosition();
            // What was written up to here is rewritten.
            Map<String, TableOffsets> verified = watch.offsets();
            Projection.Window window = projection.begin(kept.notes()).window(snapshot);
            RowRefresher refresher =
                    refresher(window, PositionVector.of(snapshot.position()).records());
            window.everything(refresher);
            refresher.flush();
            new PresentRows(cluster, options.quiet(), refresher::removeUnlessShown).walk(kept.targets());
            refresher.awaitWrites();
            Position position = end(window, refresher, snapshot.position(), verified);
            progress.end(position);
            progress.endRebuild();
            return position;
        }
    }
}
