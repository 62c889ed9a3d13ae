package io.polytable.store.feed;

import io.polytable.store.log.LogReader;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A change feed: the position it has passed, and the rest of the commit it is in. */
final class TailFeed implements ChangeFeed {
    /** A byte limit per poll: a caller that asks for many changes does not expect many large values. */
    static final long POLL_BYTES_MAX = 1 << 20;

    private final Feeds feeds;
    private final Map<Integer, Table> tables;
    private final boolean withOld;
    private final Runnable onClose;
    private final CommitDecoder decoder = new CommitDecoder();
    private final Backlogs.Backlog backlog;
    private List<Change> pending = List.of();
    private int shown;
    private long current;
    private volatile long passed;
    private ReaderPool.@Nullable Lease behind;
    private boolean backlogIsTold;
    private boolean closed;

    // Guarded by the feeds' lock.
    @Nullable
    Condition awaited;

    @Nullable
    Runnable onReady;

    /** @param backlog commits decoded for this feed alone, before it follows the tail */
    TailFeed(
            Feeds feeds,
            Map<Integer, Table> tables,
            long from,
            boolean withOld,
            Backlogs.Backlog backlog,
            Runnable onClose) {
        this.feeds = feeds;
        this.backlog = backlog;
        this.tables = tables;
        this.passed = from;
        this.withOld = withOld;
        this.onClose = onClose;
    }

    Map<Integer, Table> tables() {
        return tables;
    }

    boolean withOld() {
        return withOld;
    }

    long passed() {
        return passed;
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        requireOpen();
        List<Change> changes = new ArrayList<>();
        collect(changes, most);
        long deadline = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); changes.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            try {
                feeds.await(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return changes;
            }
            collect(changes, most);
        }
        return changes;
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The feed is closed");
        }
    }

    private void collect(List<Change> changes, int most) {
        if (!backlogIsTold) {
            backlog.keep();
        }
        long bytes = 0;
        while (changes.size() < most && bytes < POLL_BYTES_MAX && (shown < pending.size() || nextCommit(changes))) {
            while (shown < pending.size() && changes.size() < most && bytes < POLL_BYTES_MAX) {
                Change change = pending.get(shown++);
                changes.add(change);
                bytes += CommitDecoder.bytesOf(change);
            }
            if (shown == pending.size()) {
                // Otherwise every idle feed would hold its last commit, however large, beyond any budget.
                pending = List.of();
                shown = 0;
            }
        }
    }

    /**
     * If changes were collected already, returns them first; the next poll throws the failure of the commit after them.
     */
    private boolean nextCommit(List<Change> collected) {
        try {
            return nextCommit();
        } catch (RuntimeException e) {
            if (collected.isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    /** Moves to the next durable commit, which may have no changes for this feed. */
    private boolean nextCommit() {
        TailCommit own = nextOfBacklog();
        if (own != null) {
            show(own.position(), own.of(tables, withOld));
            return true;
        }
        if (feeds.follows(this)) {
            stopReading();
            TailCommit next = feeds.next(this);
            if (next != null) {
                passed = next.position();
                show(passed, next.of(tables, withOld));
                return true;
            }
        }
        // The tail may have dropped its next commit just now.
        return !feeds.follows(this) && readBehind();
    }

    private @Nullable TailCommit nextOfBacklog() {
        if (backlogIsTold) {
            return null;
        }
        TailCommit next = backlog.poll();
        backlogIsTold = next == null;
        return next;
    }

    private void show(long position, List<Change> changes) {
        current = position;
        pending = changes;
        shown = 0;
    }

    /** Skips records without changes for this feed. */
    void skipTo(long position) {
        passed = Math.max(passed, position);
    }

    private boolean readBehind() {
        ReaderPool.Lease lease = behind;
        LogReader reader = lease == null ? null : lease.begin();
        if (lease == null || reader == null) {
            lease = feeds.read(passed + 1);
            behind = lease;
            reader = Objects.requireNonNull(lease.begin());
        }
        try {
            return readNext(reader);
        } finally {
            lease.end();
        }
    }

    private boolean readNext(LogReader reader) {
        if (passed >= feeds.durable() || !reader.next()) {
            return false;
        }
        long position = reader.position();
        List<Change> changes;
        try {
            changes = decoder.decode(reader, feeds.positionOf(position), tables);
        } catch (RuntimeException | Error e) {
            // The reader is past the record: a new one will read it again.
            stopReading();
            throw e;
        }
        passed = position;
        show(position, changes);
        return true;
    }

    private void stopReading() {
        ReaderPool.Lease lease = behind;
        if (lease != null) {
            behind = null;
            lease.close();
        }
    }

    @Override
    public void whenReady(Runnable action) {
        requireOpen();
        if (shown < pending.size() || (!backlogIsTold && backlog.isReady())) {
            action.run();
        } else {
            feeds.whenReady(this, action);
        }
    }

    @Override
    public Position position() {
        if (shown < pending.size()) {
            // In the middle of a commit: a feed resumed from here returns that commit again, whole.
            return feeds.positionOf(current - 1);
        }
        return feeds.positionOf(backlogIsTold ? passed : backlog.after());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                stopReading();
            } finally {
                backlog.drop();
                feeds.leave(this);
                onClose.run();
            }
        }
    }
}
