package io.polytable.store.fluss.projection;

import io.polytable.store.group.PositionVector;
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

/** The change feed of one group, split at the ends of windows. */
final class WindowFeed implements AutoCloseable {
    /** Values may be large, so few at a time. */
    private static final int POLL_MAX = 128;

    private static final int CHUNK_MAX = 4096;
    private static final long CHUNK_BYTES_MAX = 4 << 20;
    private static final Duration WAIT = Duration.ofMillis(100);

    private final int group;
    private final ChangeFeed feed;
    private final Deque<Change> ahead = new ArrayDeque<>();

    WindowFeed(int group, ChangeFeed feed) {
        this.group = group;
        this.feed = feed;
    }

    /** The next changes up to the position, which is durable; empty at the end. */
    List<Change> chunk(PositionVector upTo) {
        List<Change> chunk = new ArrayList<>();
        long bytes = 0;
        while (chunk.size() < CHUNK_MAX && bytes < CHUNK_BYTES_MAX && hasNext(upTo)) {
            Change change = ahead.remove();
            chunk.add(change);
            bytes += change.value().map(value -> (long) value.length()).orElse(0L);
        }
        return chunk;
    }

    private boolean hasNext(PositionVector upTo) {
        long last = upTo.record(group);
        while (ahead.isEmpty() && record(feed.position()) < last) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException(StoreError.CLOSED, "The projection is being closed");
            }
            ahead.addAll(feed.poll(POLL_MAX, WAIT));
        }
        return !ahead.isEmpty() && record(ahead.element().position()) <= last;
    }

    private long record(Position position) {
        return PositionVector.of(position).record(group);
    }

    @Override
    public void close() {
        feed.close();
    }
}
