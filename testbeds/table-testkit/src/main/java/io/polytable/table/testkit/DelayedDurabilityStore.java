package io.polytable.table.testkit;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A store whose commits become durable only when a test releases them: for testing what a frontend sends before that, and
 * what it does if it never happens. Commits are visible at once, as always; feeds show nothing while a commit is held.
 */
public final class DelayedDurabilityStore extends ForwardingStore {
    private final NavigableMap<Long, CompletableFuture<Void>> waiting = new TreeMap<>();
    private long committed;
    private long durable;
    private Optional<StoreException> failure = Optional.empty();

    public DelayedDurabilityStore(TableStore beneath) {
        super(beneath);
    }

    @Override
    public synchronized Commit commit(Batch batch) {
        if (failure.isPresent()) {
            throw new StoreException(StoreError.FAILED, "The log failed before");
        }
        Position position = super.commit(batch).position();
        notifyAll();
        return new HeldCommit(++committed, position);
    }

    @Override
    public synchronized Commit latest() {
        return new HeldCommit(committed, super.latest().position());
    }

    /** The number of held commits. */
    public synchronized long held() {
        return committed - durable;
    }

    /** Makes everything durable that was committed so far. */
    public void release() {
        List<CompletableFuture<Void>> reached;
        synchronized (this) {
            durable = committed;
            reached = taken();
            notifyAll();
        }
        reached.forEach(future -> future.complete(null));
    }

    /** Holds everything back again, as a log does whose owner may have been replaced. */
    public synchronized void hold() {
        durable = -1;
    }

    /** Fails the log: held commits never become durable, and further commits are refused. */
    public void fail() {
        StoreException cause = new StoreException(StoreError.FAILED, "The log fails, by the test's will");
        List<CompletableFuture<Void>> lost;
        synchronized (this) {
            failure = Optional.of(cause);
            lost = taken();
        }
        lost.forEach(future -> future.completeExceptionally(cause));
    }

    private List<CompletableFuture<Void>> taken() {
        List<CompletableFuture<Void>> futures = new ArrayList<>(waiting.values());
        waiting.clear();
        return futures;
    }

    private synchronized boolean isDurable(long number) {
        return number <= durable;
    }

    private synchronized CompletionStage<Void> durable(long number) {
        if (number <= durable) {
            return CompletableFuture.completedStage(null);
        }
        if (failure.isPresent()) {
            return CompletableFuture.failedStage(failure.get());
        }
        return waiting.computeIfAbsent(number, n -> new CompletableFuture<>());
    }

    private final class HeldCommit implements Commit {
        private final long number;
        private final Position position;

        HeldCommit(long number, Position position) {
            this.number = number;
            this.position = position;
        }

        @Override
        public boolean isDurable() {
            return DelayedDurabilityStore.this.isDurable(number);
        }

        @Override
        public CompletionStage<Void> durable() {
            return DelayedDurabilityStore.this.durable(number);
        }

        @Override
        public Position position() {
            return position;
        }
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        return new HeldFeed(super.changes(tables, from));
    }

    /** A waiting thread lets others commit and release; both wake it. */
    private synchronized List<Change> poll(ChangeFeed feed, int most, Duration wait) {
        long deadlineNanos = System.nanoTime() + wait.toNanos();
        try {
            while (true) {
                List<Change> changes = durable < committed ? List.of() : feed.poll(most, Duration.ZERO);
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (!changes.isEmpty() || leftMillis <= 0) {
                    return changes;
                }
                wait(leftMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Changes of the wrapped feed stay hidden until they are released. */
    private void whenReady(ChangeFeed feed, Runnable action) {
        feed.whenReady(() -> {
            var unused = latest().durable().whenComplete((done, failed) -> action.run());
        });
    }

    @Override
    public Snapshot snapshot() {
        Snapshot beneath = super.snapshot();
        return new ForwardingSnapshot(beneath) {
            @Override
            public ChangeFeed changes(Set<Table> tables) {
                return new HeldFeed(beneath.changes(tables));
            }
        };
    }

    private final class HeldFeed implements ChangeFeed {
        private final ChangeFeed beneath;

        HeldFeed(ChangeFeed beneath) {
            this.beneath = beneath;
        }

        @Override
        public List<Change> poll(int most, Duration wait) {
            return DelayedDurabilityStore.this.poll(beneath, most, wait);
        }

        @Override
        public void whenReady(Runnable action) {
            DelayedDurabilityStore.this.whenReady(beneath, action);
        }

        @Override
        public Position position() {
            return beneath.position();
        }

        @Override
        public void close() {
            beneath.close();
        }
    }
}
