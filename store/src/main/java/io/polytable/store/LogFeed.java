package io.polytable.store;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.table.Bytes;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.EncodedRow;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The change feed: the log, read. Commits are shown when they are durable, and whole. */
final class LogFeed implements ChangeFeed {
    private final CommitLog log;
    private final Durability durability;
    private final Map<Integer, Table> tables;
    private final LogReader reader;
    private final Runnable onClose;
    private final EncodedRow row = new EncodedRow();
    private final List<Change> pending = new ArrayList<>();
    private int shown;
    private long passed;
    private boolean closed;

    /** Shows what comes after the record {@code from}. */
    LogFeed(CommitLog log, Durability durability, Map<Integer, Table> tables, long from, Runnable onClose) {
        this.log = log;
        this.durability = durability;
        this.tables = tables;
        this.onClose = onClose;
        passed = from;
        reader = log.read(from + 1);
    }

    @Override
    public List<Change> poll(int most, Duration wait) {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The feed is closed");
        }
        List<Change> changes = new ArrayList<>();
        collect(changes, most);
        if (changes.isEmpty() && !wait.isZero()) {
            await(wait, changes, most);
        }
        return changes;
    }

    private void await(Duration wait, List<Change> changes, int most) {
        long deadline = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); changes.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            try {
                durability.awaitProgress(passed, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            collect(changes, most);
        }
    }

    private void collect(List<Change> changes, int most) {
        while (changes.size() < most && (shown < pending.size() || nextRecord())) {
            if (shown < pending.size()) {
                changes.add(pending.get(shown++));
            }
        }
    }

    /** Moves to the next durable record; its changes may be none of ours. */
    private boolean nextRecord() {
        if (passed >= durability.durable() || !reader.next()) {
            return false;
        }
        passed = reader.position();
        pending.clear();
        shown = 0;
        Position after = new LogPosition(log.incarnation(), passed).toPosition();
        int end = reader.offset() + reader.length();
        for (int at = reader.offset(); at < end; at = row.end()) {
            row.moveTo(reader.array(), at);
            Table table = tables.get(row.table());
            if (table != null) {
                pending.add(change(table, after));
            }
        }
        if (!pending.isEmpty()) {
            pending.add(lastOf(pending.remove(pending.size() - 1)));
        }
        return true;
    }

    private Change change(Table table, Position after) {
        Bytes key = row.key().copy();
        return switch (row.op()) {
            case EncodedRow.PUT ->
                new Change(
                        Change.Kind.PUT, table, key, Optional.of(row.value().copy()), Optional.empty(), after, false);
            case EncodedRow.DELETE ->
                new Change(Change.Kind.DELETE, table, key, Optional.empty(), Optional.empty(), after, false);
            case EncodedRow.DELETE_RANGE ->
                new Change(
                        Change.Kind.DELETE_RANGE,
                        table,
                        key,
                        Optional.empty(),
                        Optional.of(row.value().copy()),
                        after,
                        false);
            default -> throw new StoreException(StoreError.CORRUPT, "Unknown kind of row", Map.of("op", row.op()));
        };
    }

    private static Change lastOf(Change change) {
        return new Change(
                change.kind(), change.table(), change.key(), change.value(), change.end(), change.position(), true);
    }

    @Override
    public Position position() {
        // In the middle of a commit a feed that goes on from here shows that commit again, whole.
        long whole = shown < pending.size() ? passed - 1 : passed;
        return new LogPosition(log.incarnation(), whole).toPosition();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reader.close();
            onClose.run();
        }
    }
}
