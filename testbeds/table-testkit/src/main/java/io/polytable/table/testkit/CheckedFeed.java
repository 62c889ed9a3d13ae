package io.polytable.table.testkit;

import static io.polytable.table.testkit.CheckedStore.require;

import io.polytable.table.Position;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A feed that checks its contract. Of the caller: one thread at a time. Of the store: only followed tables, whole
 * commits, no more changes than requested.
 */
final class CheckedFeed implements ChangeFeed {
    private final ChangeFeed beneath;
    private final Set<Table> tables;
    private final OpenResources open;
    private final SingleThreadGuard guard = new SingleThreadGuard("feed");
    private @Nullable Position unfinished;

    CheckedFeed(ChangeFeed beneath, Set<Table> tables, OpenResources open) {
        this.beneath = beneath;
        this.tables = Set.copyOf(tables);
        this.open = open;
        open.opened(this);
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        return guard.call(() -> {
            require(most > 0, "a poll wants at least one change");
            List<Change> changes = beneath.poll(most, wait);
            require(changes.size() <= most, "a poll answers more changes than wanted");
            changes.forEach(this::check);
            return changes;
        });
    }

    private void check(Change change) {
        require(tables.contains(change.table()), "a feed shows a table that was not asked for");
        require(
                unfinished == null || change.position().equals(unfinished),
                "the changes of two commits are mixed in a feed");
        unfinished = change.last() ? null : change.position();
        require(change.value().isPresent() == (change.kind() == Change.Kind.PUT), "exactly puts have a value");
        require(change.end().isPresent() == (change.kind() == Change.Kind.DELETE_RANGE), "exactly ranges have an end");
    }

    @Override
    public void whenReady(Runnable action) {
        beneath.whenReady(action);
    }

    @Override
    public Position position() {
        return beneath.position();
    }

    @Override
    public void close() {
        open.closed(this);
        beneath.close();
    }
}
