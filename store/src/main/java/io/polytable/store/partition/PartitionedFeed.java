package io.polytable.store.partition;

import io.polytable.store.engine.Opening;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A change feed over several partitions. It returns commits whole, one after the other, in log order within a partition and in
 * no particular order between partitions. Partitions without a subscribed table stay at the position where the feed began.
 */
final class PartitionedFeed implements ChangeFeed {
    /** A partition's poll may return about a megabyte; this bound stops one poll from collecting that from every partition. */
    private static final long POLL_BYTES_MAX = 1 << 19;

    private final List<Position.Part> at;
    private final List<Part> parts = new ArrayList<>();
    private int next;
    private boolean closed;

    // The store-wide position of the last change: the changes of one commit share it.
    private int lastPartition = -1;
    private Position ofStore = Position.START;

    private record Part(int partition, ChangeFeed feed) {}

    PartitionedFeed(List<Position.Part> from) {
        this.at = new ArrayList<>(from);
    }

    void add(int partition, ChangeFeed feed) {
        parts.add(new Part(partition, feed));
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The feed is closed");
        }
        parts.forEach(PartitionedFeed::keep);
        List<Change> changes = new ArrayList<>();
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            collect(changes, most);
            long left = deadline - System.nanoTime();
            if (!changes.isEmpty() || left <= 0) {
                return changes;
            }
            try {
                Semaphore ready = new Semaphore(0);
                whenReady(ready::release);
                boolean unusedIsReady = ready.tryAcquire(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return changes;
            }
        }
    }

    /**
     * A poll for no changes, which only reports to the partition that its feed is in use. A poll of this feed may stay with
     * other partitions for long, and what this partition holds for it must not expire meanwhile.
     */
    private static void keep(Part part) {
        List<Change> unusedNone = part.feed.poll(0, Duration.ZERO);
    }

    /** Runs the action once, as soon as any partition has changes. */
    @Override
    public void whenReady(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        for (Part part : parts) {
            part.feed.whenReady(() -> {
                if (done.compareAndSet(false, true)) {
                    action.run();
                }
            });
        }
    }

    /** Polls the partitions round-robin, so that a busy partition does not starve the others. */
    private void collect(List<Change> changes, int most) {
        long bytes = 0;
        for (int tried = 0; tried < parts.size() && changes.size() < most && bytes < POLL_BYTES_MAX; tried++) {
            Part part = parts.get(next);
            Optional<List<Change>> polled = poll(part, most - changes.size(), !changes.isEmpty());
            if (polled.isEmpty()) {
                // The next poll begins with this partition and throws its error.
                return;
            }
            List<Change> some = polled.get();
            some.forEach(change -> changes.add(placed(part.partition, change)));
            bytes += some.stream().mapToLong(PartitionedFeed::valueBytes).sum();
            at.set(part.partition, own(part.feed.position()));
            if (!some.isEmpty() && !some.get(some.size() - 1).last()) {
                // The next poll continues this commit; no other partition's commit may come in between.
                return;
            }
            next = (next + 1) % parts.size();
        }
    }

    private static long valueBytes(Change change) {
        long value = change.value().map(Bytes::length).orElse(0);
        return value + change.before().map(Bytes::length).orElse(0);
    }

    /** @param quietly return empty instead of throwing, because changes of other partitions must be delivered first */
    private static Optional<List<Change>> poll(Part part, int most, boolean quietly) {
        try {
            return Optional.of(part.feed.poll(most, Duration.ZERO));
        } catch (RuntimeException e) {
            if (quietly) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Change placed(int partition, Change change) {
        Position.Part own = own(change.position());
        if (partition != lastPartition || !own.equals(at.get(partition))) {
            lastPartition = partition;
            at.set(partition, own);
            ofStore = new Position(at);
        }
        return change.at(ofStore, change.last());
    }

    @Override
    public Position position() {
        return new Position(at);
    }

    private static Position.Part own(Position position) {
        return position.parts(1).get(0);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Opening.closeAll(parts.stream().map(part -> part.feed::close));
        }
    }
}
