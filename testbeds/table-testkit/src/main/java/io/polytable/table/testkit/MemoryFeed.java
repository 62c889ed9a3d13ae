package io.polytable.table.testkit;

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
import java.util.Optional;
import java.util.Set;

/** The change feed of a {@link MemoryLog}. */
final class MemoryFeed implements ChangeFeed {
    private final MemoryStore store;
    private final Set<MemoryTable> tables;
    private final Deque<Change> pending = new ArrayDeque<>();
    private final boolean withOld;
    private long number;
    private boolean closed;

    MemoryFeed(MemoryStore store, Set<MemoryTable> tables, long number, boolean withOld) {
        this.withOld = withOld;
        this.store = store;
        this.tables = Set.copyOf(tables);
        this.number = number;
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The feed is closed");
        }
        long deadlineNanos = System.nanoTime() + wait.toNanos();
        List<Change> found = store.locked(() -> collect(most));
        while (found.isEmpty() && store.awaitCommitAfter(number, deadlineNanos)) {
            found = store.locked(() -> collect(most));
        }
        return found;
    }

    /** Under the store's lock, so that the log cannot drop a commit after an earlier one was taken. */
    private List<Change> collect(int most) {
        List<Change> found = new ArrayList<>();
        while (found.size() < most && (!pending.isEmpty() || nextCommit())) {
            if (!pending.isEmpty()) {
                found.add(pending.remove());
            }
        }
        return found;
    }

    private boolean nextCommit() {
        Optional<MemoryLog.Step> step = store.next(number, tables, withOld);
        step.ifPresent(commit -> {
            number = commit.number();
            pending.addAll(commit.changes());
        });
        return step.isPresent();
    }

    @Override
    public void whenReady(Runnable action) {
        if (pending.isEmpty()) {
            store.whenCommitAfter(number, this, action);
        } else {
            action.run();
        }
    }

    @Override
    public Position position() {
        return MemoryLog.positionAfter(pending.isEmpty() ? number : number - 1);
    }

    @Override
    public void close() {
        closed = true;
        store.forget(this);
    }
}
