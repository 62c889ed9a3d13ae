package io.polytable.store.feed;

import io.polytable.table.Change;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows as they were before the commit that the tail decodes next: a snapshot and what was committed since. A newer
 * snapshot takes its place when that has grown large or old, at the very commit it was taken at. Nothing is kept while
 * nobody asks.
 */
final class OldValues {
    private static final Logger LOG = LoggerFactory.getLogger(OldValues.class);
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /** A newer snapshot is wanted when this share of what may be kept is. */
    private static final int RENEWED_SHARE = 4;

    /** One that the tail is on its way to, and one for who joined far ahead of it. */
    private static final int COMING_MAX = 2;

    private final Supplier<Feeds.RecordSnapshot> snapshots;
    private final long bytesMax;
    private Feeds.@Nullable RecordSnapshot base;

    /** Newer snapshots, oldest first: each takes over when the tail gets there. */
    private final Deque<Feeds.RecordSnapshot> coming = new ArrayDeque<>();

    private @Nullable TrailingRows rows;
    private long baseNanos;

    /** @param bytesMax so much is kept while no newer snapshot can be had; then it is no use any more */
    OldValues(Supplier<Feeds.RecordSnapshot> snapshots, long bytesMax) {
        this.snapshots = snapshots;
        this.bytesMax = bytesMax;
    }

    /** Begins to know old values of all tables; answers the record after which it does. */
    long begin() {
        if (coming.isEmpty()) {
            coming.addLast(snapshots.get());
        }
        return coming.getLast().record();
    }

    /** As {@link #begin}, for a follower from this record on, which the tail is far from. */
    long beginAhead(long record) {
        if (coming.size() < COMING_MAX && (coming.isEmpty() || coming.getLast().record() < record)) {
            coming.addLast(snapshots.get());
        }
        return coming.getLast().record();
    }

    /** The tail has decoded everything up to the record, and goes on with the one after it. */
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

    /** The changes of the commit after the record that was reached; null when they cannot be known. */
    @Nullable
    List<Change> before(List<Change> commit) {
        TrailingRows known = rows;
        if (known == null) {
            return null;
        }
        if (known.bytes() > bytesMax) {
            LOG.warn("Old values take too much memory; who follows them has to start again");
            return null;
        }
        try {
            return CommitDecoder.withBefore(commit, known);
        } catch (StoreException e) {
            LOG.warn("Old values can no longer be told; who follows them has to start again", e);
            return null;
        }
    }

    /** Rows in memory that the snapshot shows cannot go while it is open, whoever wrote them: so it is never old. */
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
     * Old values are not known up to the newer snapshot, if one was taken: the tail may have been far behind it, since
     * nobody asked. Answers the record after which they are known again, {@link Tail#NEVER} without one.
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
