package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.group.PositionVector;
import io.polytable.table.Change;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
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
    private static final Duration QUIET = Duration.ofSeconds(3);

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
            new OutdatedTables(cluster, name).drop(projection.tables());
        }
        List<ShownTarget> targets = projection.tables().stream()
                .map(table -> ShownTarget.open(cluster, table, options))
                .toList();
        this.kept = new RowRefresher.Kept(targets, NotesTable.open(cluster, name));
    }

    void run(BooleanSupplier isOver) throws InterruptedException {
        Optional<Position> from = kept.notes().position();
        while (!isOver.getAsBoolean()) {
            if (from.isEmpty() || progress.isRebuildWanted()) {
                from = Optional.of(rebuild());
            }
            try {
                follow(from.get(), isOver);
                from = kept.notes().position();
            } catch (StoreException e) {
                if (e.error() != StoreError.POSITION_EXPIRED && e.error() != StoreError.BAD_POSITION) {
                    throw e;
                }
                LOG.warn("The tables in Fluss cannot go on from {}: everything is written anew", from.get(), e);
                from = Optional.empty();
            }
        }
    }

    private void follow(Position from, BooleanSupplier isOver) throws InterruptedException {
        Position shown = from;
        Projection.Session session = projection.begin(kept.notes());
        try (WindowFeeds feeds = WindowFeeds.open(store, projection.sources(), from)) {
            while (!isOver.getAsBoolean() && !progress.isRebuildWanted()) {
                long beganNanos = System.nanoTime();
                progress.begin();
                if (!store.position().equals(shown)) {
                    shown = window(session, feeds);
                }
                progress.end(shown);
                long left = options.interval().toNanos() - (System.nanoTime() - beganNanos);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
            }
        }
    }

    /** Processes one window; returns its end. */
    private Position window(Projection.Session session, WindowFeeds feeds) throws InterruptedException {
        try (Snapshot snapshot = store.snapshot()) {
            awaitDurable();
            PositionVector end = PositionVector.of(snapshot.position());
            Projection.Window window = session.window(snapshot);
            RowRefresher refresher = refresher(window, end.records());
            for (List<Change> chunk = feeds.chunk(end); !chunk.isEmpty(); chunk = feeds.chunk(end)) {
                window.touchedBy(chunk, refresher);
                refresher.flush();
            }
            return end(window, refresher, snapshot.position());
        }
    }

    private RowRefresher refresher(Projection.Window window, long position) {
        return new RowRefresher(cluster, options, kept, window, position, progress.rows());
    }

    private Position end(Projection.Window window, RowRefresher refresher, Position position) {
        window.end();
        refresher.flush();
        kept.notes().savePosition(position);
        return position;
    }

    /** Commits that are not durable may be lost: no row may show them. */
    private void awaitDurable() throws InterruptedException {
        try {
            store.latest().durable().toCompletableFuture().get(DURABLE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException known
                    ? known
                    : new IllegalStateException("The store does not become durable", e);
        } catch (TimeoutException e) {
            throw new StoreException(StoreError.IO, "The log does not acknowledge", Map.of(), e);
        }
    }

    /** Writes everything, removes surplus rows, and returns where to continue. */
    private Position rebuild() throws InterruptedException {
        LOG.info("The tables in Fluss are written anew");
        progress.beginRebuild();
        progress.begin();
        kept.notes().forgetPosition();
        try (Snapshot snapshot = store.snapshot()) {
            awaitDurable();
            Projection.Window window = projection.begin(kept.notes()).window(snapshot);
            RowRefresher refresher =
                    refresher(window, PositionVector.of(snapshot.position()).records());
            window.everything(refresher);
            refresher.flush();
            new PresentRows(cluster, QUIET, refresher::removeUnlessShown).walk(kept.targets());
            refresher.awaitWrites();
            Position position = end(window, refresher, snapshot.position());
            progress.end(position);
            progress.endRebuild();
            return position;
        }
    }
}
