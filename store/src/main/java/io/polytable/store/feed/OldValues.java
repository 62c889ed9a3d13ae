package io.polytable.store.feed;

import io.polytable.table.StoreException;
import io.polytable.table.feed.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The old values for the next commit of the tail: a snapshot, and the changes since. When those have grown large or
 * old, a newer snapshot takes over, at exactly the record it was taken at. Nothing is kept while no feed needs old
 * values.
 */
final class OldValues {
    private static final Logger LOG = LoggerFactory.getLogger(OldValues.class);
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /** A newer snapshot is taken beyond this fraction of the limit. */
    private static final int RENEWED_SHARE = 4;

    /** One that the tail approaches, and one for a feed that joined far ahead of the tail. */
    private static final int COMING_MAX = 2;

    private final Supplier<Feeds.RecordSnapshot> snapshots;
    private final long bytesMax;
    private Feeds.@Nullable RecordSnapshot base;

    /** Newer snapshots, oldest first: each takes over when the tail reaches its record. */
    private final Deque<Feeds.RecordSnapshot> coming = new ArrayDeque<>();

    private @Nullable TrailingRows rows;
    private long baseNanos;

    /**
     * @param bytesMax the limit on changes kept while no newer snapshot can be taken; beyond it old values are given up
     */
    OldValues(Supplier<Feeds.RecordSnapshot> snapshots, long bytesMax) {
        this.snapshots = snapshots;
        this.bytesMax = bytesMax;
    }

    /** Starts keeping old values of all tables; returns the record after which they are known. */
    long begin() {
        if (coming.isEmpty()) {
            coming.addLast(snapshots.get());
        }
        return coming.getLast().record();
    }

    /** As {@link #begin}, for a feed that starts at this record, far ahead of the tail. */
    long beginAhead(long record) {
        if (coming.size() < COMING_MAX && (coming.isEmpty() || coming.getLast().record() < record)) {
            coming.addLast(snapshots.get());
        }
        return coming.getLast().record();
    }

    /** Called when the tail has decoded everything up to the record. */
    void reached(long record) {
        Feeds.RecordSnapshot next = coming.peekFirst();
        if (next != null && next.record() <= record) {
            coming.removeFirst();
            close(base);
            base = next;
            rows = new TrailingRows(next.rows());
            baseNanos = System.nanoTime();
        }
    }

    /** Adds old values to the next commit; null if they are not known. */
    @Nullable
    List<Change> before(List<Change> commit) {
        TrailingRows known = rows;
        if (known == null) {
            return null;
        }
        if (known.bytes() > bytesMax) {
            LOG.warn("Pre-images exceed their memory limit; affected change-feed consumers must restart");
            return null;
        }
        try {
            return CommitDecoder.withBefore(commit, known);
        } catch (StoreException e) {
            LOG.warn("Pre-images are no longer available; affected change-feed consumers must restart", e);
            return null;
        }
    }

    /** Replaces an aging snapshot: while it is open it pins rows in memory, whoever wrote them. */
    void renew() {
        TrailingRows known = rows;
        if (known != null
                && coming.isEmpty()
                && (known.bytes() > bytesMax / RENEWED_SHARE || System.nanoTime() - baseNanos > AGE_MAX.toNanos())) {
            try {
                coming.addLast(snapshots.get());
            } catch (StoreException e) {
                LOG.debug("No newer snapshot could be taken", e);
            }
        }
    }

    /**
     * Gives up old values until the tail reaches the newer snapshot, if there is one: the tail may have been far behind
     * it while nobody polled. Returns the record after which they are known again, or {@link Tail#NEVER}.
     */
    long skipToNext() {
        close(base);
        base = null;
        rows = null;
        Feeds.RecordSnapshot next = coming.peekFirst();
        return next == null ? Tail.NEVER : next.record();
    }

    void end() {
        close(base);
        coming.forEach(OldValues::close);
        base = null;
        coming.clear();
        rows = null;
    }

    private static void close(Feeds.@Nullable RecordSnapshot snapshot) {
        if (snapshot != null) {
            snapshot.closing().run();
        }
    }
}
