package io.polytable.table.testkit;

import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Position;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A walk along a {@link MemoryLog}. */
final class MemoryFeed implements ChangeFeed {
    private final MemoryStore store;
    private final Set<MemoryTable> tables;
    private long number;
    private boolean closed;

    MemoryFeed(MemoryStore store, Set<MemoryTable> tables, long number) {
        this.store = store;
        this.tables = Set.copyOf(tables);
        this.number = number;
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        long deadlineNanos = System.nanoTime() + wait.toNanos();
        List<Change> found = step(most);
        while (found.isEmpty() && store.awaitCommitAfter(number, deadlineNanos)) {
            found = step(most);
        }
        return found;
    }

    private List<Change> step(int most) {
        MemoryLog.Step step = store.step(number, tables, most, closed);
        number = step.number();
        return step.changes();
    }

    @Override
    public Position position() {
        return MemoryLog.positionAfter(number);
    }

    @Override
    public void close() {
        closed = true;
    }
}
