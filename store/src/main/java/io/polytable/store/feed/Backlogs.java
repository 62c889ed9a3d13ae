package io.polytable.store.feed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What feeds with old values are still to be told of the time before they joined the tail, bounded over all of them. Who
 * does not ask for it for a while loses it when another needs the room: an idle feed expires itself, and nobody else.
 */
final class Backlogs {
    /** One that asks as often as this keeps what is held for it. */
    static final Duration IDLE_AFTER = Duration.ofSeconds(3);

    private final long bytesMax;
    private final LongSupplier nanoTime;

    /** Those that hold something; who asked longest ago comes first. */
    private final Set<Backlog> held = new LinkedHashSet<>();

    private long bytes;

    Backlogs(long bytesMax, LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
    }

    /** For a feed of the changes after the record. */
    Backlog open(long after) {
        return new Backlog(after);
    }

    /** How much is held for all. */
    synchronized long bytes() {
        return bytes;
    }

    /** Commits that are held for one feed. */
    final class Backlog {
        private final Deque<TailCommit> commits = new ArrayDeque<>();
        private long after;
        private long own;
        private long askedNanos;
        private boolean isExpired;

        private Backlog(long after) {
            this.after = after;
        }

        /** Holds a commit; expires when there is no room for it. */
        void add(TailCommit commit) {
            synchronized (Backlogs.this) {
                requireAlive();
                asked();
                // One that cannot fit does not cost the others what is held for them.
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

        /** The next commit; null when all of them were told. */
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

        /** The record up to which everything was told. */
        long after() {
            synchronized (Backlogs.this) {
                return after;
            }
        }

        /** Whether a poll has something to answer, be it that this one is expired. */
        boolean isReady() {
            synchronized (Backlogs.this) {
                return isExpired || !commits.isEmpty();
            }
        }

        /** Nobody wants the rest. */
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

        /** Its feed is polled, if only for more of the commit it had last. */
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
