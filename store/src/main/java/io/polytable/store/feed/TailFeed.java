package io.polytable.store.feed;

import io.polytable.store.log.LogReader;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** One follower of the tail: the position it has passed, and what is left of the commit it is in. */
final class TailFeed implements ChangeFeed {
    private final Feeds feeds;
    private final Map<Integer, Table> tables;
    private final boolean withOld;
    private final Runnable onClose;
    private final CommitDecoder decoder = new CommitDecoder();
    private final Deque<TailCommit> backlog = new ArrayDeque<>();
    private List<Change> pending = List.of();
    private int shown;
    private long current;
    private volatile long passed;
    private @Nullable LogReader behind;
    private boolean closed;

    // Guarded by the lock of the feeds.
    @Nullable
    Condition awaited;

    @Nullable
    Runnable onReady;

    TailFeed(Feeds feeds, Map<Integer, Table> tables, long from, boolean withOld, Runnable onClose) {
        this.feeds = feeds;
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

    /** What was decoded for this feed alone, before it follows the tail. */
    void begin(TailCommit commit) {
        backlog.addLast(commit);
    }

    void dropBacklog() {
        backlog.forEach(feeds::letGo);
        backlog.clear();
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
        while (changes.size() < most && (shown < pending.size() || nextCommit())) {
            int end = Math.min(pending.size(), shown + most - changes.size());
            changes.addAll(pending.subList(shown, end));
            shown = end;
        }
    }

    /** Moves to the next durable commit; its changes may be none of ours. */
    private boolean nextCommit() {
        TailCommit own = backlog.poll();
        if (own != null) {
            feeds.letGo(own);
            show(own.position(), own.of(tables, withOld));
            return true;
        }
        if (feeds.follows(this)) {
            stopReading();
            TailCommit next = feeds.next(this);
            if (next != null) {
                passed = next.position();
                show(passed, next.of(tables, withOld));
            }
            return next != null;
        }
        return readBehind();
    }

    private void show(long position, List<Change> changes) {
        current = position;
        pending = changes;
        shown = 0;
    }

    /** The feeds have nothing for us up to there. */
    void skipTo(long position) {
        passed = Math.max(passed, position);
    }

    private boolean readBehind() {
        LogReader reader = behind;
        if (reader == null) {
            reader = feeds.read(passed + 1);
            behind = reader;
        }
        if (passed >= feeds.durable() || !reader.next()) {
            return false;
        }
        passed = reader.position();
        show(passed, decoder.decode(reader, feeds.positionOf(passed), tables));
        return true;
    }

    private void stopReading() {
        LogReader reader = behind;
        if (reader != null) {
            behind = null;
            feeds.close(reader);
        }
    }

    @Override
    public void whenReady(Runnable action) {
        requireOpen();
        if (shown < pending.size() || !backlog.isEmpty()) {
            action.run();
        } else {
            feeds.whenReady(this, action);
        }
    }

    @Override
    public Position position() {
        if (shown < pending.size()) {
            // In the middle of a commit a feed that goes on from here shows that commit again, whole.
            return feeds.positionOf(current - 1);
        }
        TailCommit own = backlog.peek();
        return feeds.positionOf(own == null ? passed : own.position() - 1);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stopReading();
            dropBacklog();
            feeds.leave(this);
            onClose.run();
        }
    }
}
