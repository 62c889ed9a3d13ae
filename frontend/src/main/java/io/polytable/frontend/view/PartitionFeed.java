package io.polytable.frontend.view;

import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The change feed of one partition, split at the ends of windows. */
final class PartitionFeed implements AutoCloseable {
    /** Values may be large, so few at a time. */
    private static final int POLL_MAX = 128;

    private static final int CHUNK_MAX = 4096;
    private static final long CHUNK_BYTES_MAX = 4 << 20;
    private static final Duration WAIT = Duration.ofMillis(100);

    private final int partition;
    private final ChangeFeed feed;
    private final Deque<Change> ahead = new ArrayDeque<>();

    PartitionFeed(int partition, ChangeFeed feed) {
        this.partition = partition;
        this.feed = feed;
    }

    /** The next changes up to the position; waits until they are durable. Empty at the end. */
    List<Change> chunk(Position upTo) {
        List<Change> chunk = new ArrayList<>();
        long bytes = 0;
        while (chunk.size() < CHUNK_MAX && bytes < CHUNK_BYTES_MAX && hasNext(upTo)) {
            Change change = ahead.remove();
            chunk.add(change);
            bytes += change.value().map(value -> (long) value.length()).orElse(0L);
        }
        return chunk;
    }

    private boolean hasNext(Position upTo) {
        long last = upTo.record(partition);
        while (ahead.isEmpty() && feed.position().record(partition) < last) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException(StoreError.CLOSED, "The follower is being closed");
            }
            ahead.addAll(feed.poll(POLL_MAX, WAIT));
        }
        return !ahead.isEmpty() && ahead.element().position().record(partition) <= last;
    }

    @Override
    public void close() {
        feed.close();
    }
}
