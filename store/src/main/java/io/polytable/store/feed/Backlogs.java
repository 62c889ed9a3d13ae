package io.polytable.store.feed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Per-feed buffers of commits between a feed's snapshot and the point where it joined the tail, bounded in total. They
 * serve feeds with old values. A feed that is not polled for a while loses its buffer, and expires, when another feed
 * needs the space.
 */
final class Backlogs {
    /** A feed polled at least this often keeps its backlog. */
    static final Duration IDLE_AFTER = Duration.ofSeconds(3);

    private final long bytesMax;
    private final LongSupplier nanoTime;

    /** Non-empty backlogs, least recently polled first. */
    private final Set<Backlog> held = new LinkedHashSet<>();

    private long bytes;

    Backlogs(long bytesMax, LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
    }

    /** Opens the backlog of a feed that starts after the record. */
    Backlog open(long after) {
        return new Backlog(after);
    }

    /** Bytes of all backlogs. */
    synchronized long bytes() {
        return bytes;
    }

    /** One feed's backlog. */
    final class Backlog {
        private final Deque<TailCommit> commits = new ArrayDeque<>();
        private long after;
        private long own;
        private long askedNanos;
        private boolean isExpired;

        private Backlog(long after) {
            this.after = after;
        }

        /** Adds a commit; expires the backlog if there is no space. */
        void add(TailCommit commit) {
            synchronized (Backlogs.this) {
                requireAlive();
                asked();
                // A commit that cannot fit at all must not expire others.
                if (own + commit.bytes() <= bytesMax) {
                    makeRoom(commit.bytes());
                }
                if (bytes + commit.bytes() > bytesMax) {
                    expire();
                    throw Feeds.expired(after);
                }
                commits.addLast(commit);
                count(commit.bytes());
            }
        }

        /** The next commit; null at the end. */
        @Nullable
        TailCommit poll() {
            synchronized (Backlogs.this) {
                requireAlive();
                TailCommit next = commits.poll();
                if (next != null) {
                    count(-next.bytes());
                    after = next.position();
                    asked();
                }
                if (commits.isEmpty()) {
                    held.remove(this);
                }
                return next;
            }
        }

        /** The record up to which all commits were returned. */
        long after() {
            synchronized (Backlogs.this) {
                return after;
            }
        }

        /** Whether a poll would return or throw something. */
        boolean isReady() {
            synchronized (Backlogs.this) {
                return isExpired || !commits.isEmpty();
            }
        }

        /** Discards the rest. */
        void drop() {
            synchronized (Backlogs.this) {
                commits.clear();
                count(-own);
                held.remove(this);
            }
        }

        private void requireAlive() {
            if (isExpired) {
                throw Feeds.expired(after);
            }
        }

        /** Marks the feed as polled, even if the poll only continues the commit returned last. */
        void keep() {
            synchronized (Backlogs.this) {
                if (!commits.isEmpty()) {
                    asked();
                }
            }
        }

        private void count(long more) {
            own += more;
            bytes += more;
        }

        private void asked() {
            askedNanos = nanoTime.getAsLong();
            held.remove(this);
            held.add(this);
        }

        private void expire() {
            isExpired = true;
            drop();
        }
    }

    private void makeRoom(long wanted) {
        long now = nanoTime.getAsLong();
        while (bytes + wanted > bytesMax) {
            Backlog idle = held.iterator().next();
            if (now - idle.askedNanos < IDLE_AFTER.toNanos()) {
                return;
            }
            idle.expire();
        }
    }
}
