package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.TablesChangedException;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.fluss.exception.FlussRuntimeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a projection's tables in Fluss up to date, in its own thread, from {@link #start} to {@link #close}. Problems
 * of Fluss delay nobody else, except deletions of rows that first must be removed from the tables.
 */
public final class Projector implements FeedFollower, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private final FlussSettings settings;
    private final ProjectionOptions options;
    private final String name;
    private final ProjectionProgress progress = new ProjectionProgress();
    private @Nullable TableStore store;
    private @Nullable Thread thread;
    private volatile boolean closed;

    public Projector(FlussSettings settings, ProjectionOptions options) {
        this(settings, options, "");
    }

    /**
     * @param name the name of its notes table if there are several projections, and the prefix of its tables that come
     *     and go
     */
    public Projector(FlussSettings settings, ProjectionOptions options, String name) {
        this.settings = settings;
        this.options = options;
        this.name = name;
    }

    /** Continues from the tables' position, or creates them. The store must stay open until this is closed. */
    public void start(TableStore follows, FollowedViews views) {
        start(follows, () -> views);
    }

    /**
     * As {@link #start(TableStore, FollowedViews)}, with new views whenever the set of shown tables has changed.
     */
    public synchronized void start(TableStore follows, Supplier<FollowedViews> views) {
        store = follows;
        Thread working = new Thread(() -> run(follows, views), "polytable-projection");
        working.setDaemon(true);
        thread = working;
        working.start();
    }

    /** Requests a rebuild of everything from a snapshot; returns at once. {@link #status} reports the progress. */
    public void rebuild() {
        progress.askForRebuild();
    }

    public synchronized ProjectionStatus status() {
        TableStore follows = store;
        long end = follows == null ? 0 : follows.position().records();
        return progress.status(end);
    }

    @Override
    public long mark() {
        return progress.mark();
    }

    @Override
    public boolean hasPassed(long mark) {
        return progress.hasPassed(mark);
    }

    private void run(TableStore follows, Supplier<FollowedViews> views) {
        Duration pause = PAUSE_MIN;
        try (RunConnection<FlussCluster> connection =
                new RunConnection<>(() -> FlussCluster.open(settings), FlussCluster::close, settings.answerMax())) {
            while (!closed) {
                long before = progress.windows();
                try {
                    new ProjectionRun(connection.get(), name, options, progress, follows, views.get())
                            .run(() -> closed);
                } catch (TablesChangedException changed) {
                    LOG.info("Other tables are shown in Fluss from now on: {}", changed.getMessage());
                    // The client caches tables by name, even if they were dropped and created again.
                    connection.drop();
                } catch (StoreException | FlussRuntimeException e) {
                    if (isOver(e)) {
                        return;
                    }
                    boolean hasProgressed = progress.windows() > before;
                    pause = hasProgressed ? PAUSE_MIN : longer(pause);
                    stumble(e, pause);
                    connection.failed(hasProgressed);
                } catch (RuntimeException | Error e) {
                    // Deletions of rows wait for this thread: it must not end unnoticed.
                    LOG.error("The projection failed with an internal error", e);
                    pause = longer(pause);
                    stumble(e, pause);
                    connection.failed(progress.windows() > before);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOver(RuntimeException e) {
        return closed
                || (e instanceof StoreException known
                        && (known.error() == StoreError.CLOSED || known.error() == StoreError.FAILED));
    }

    private void stumble(Throwable e, Duration pause) throws InterruptedException {
        String reason = String.valueOf(e.getMessage());
        if (progress.trouble(reason)) {
            LOG.warn("The tables in Fluss cannot be kept up; trying again: {}", reason, e);
        }
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
    }

    /**
     * Forgets the tables' position, so that the next projection rebuilds them: for a server that runs without a
     * projection and deletes rows that one would have needed.
     */
    public static void forget(FlussCluster cluster, TableStore store, String name) {
        if (!cluster.await(cluster.connection().getAdmin().tableExists(cluster.path(NotesTable.name(name))))) {
            return;
        }
        try (NotesTable notes = NotesTable.open(cluster, name)) {
            notes.at(store.position().records());
            notes.forgetPosition();
        } catch (TablesChangedException dropped) {
            LOG.info("The tables in Fluss are to be rebuilt: {}", dropped.getMessage());
        }
    }

    /** Interrupts the current window; the next start repeats it. */
    @Override
    public void close() {
        Thread working;
        synchronized (this) {
            closed = true;
            working = thread;
        }
        if (working == null) {
            return;
        }
        working.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(working, STOP_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
