package io.polytable.frontend.view;

import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The change of a visible row between two snapshots.
 *
 * @param before empty if the row was not visible
 * @param after empty if the row is not visible
 */
public record VisibleChange(View view, List<Value> key, Optional<List<Value>> before, Optional<List<Value>> after) {
    /** The kind of a change, for a reader of the rows that satisfy a condition. */
    public enum Kind {
        /** A commit touched the row without an effect. */
        NONE,
        INSERT,
        UPDATE,
        DELETE,
        /** The row existed, and satisfies the condition now. */
        ENTER,
        /** The row exists, and no longer satisfies the condition. */
        LEAVE
    }

    /** The kind of the change for a reader of all rows. */
    public Kind kind() {
        return kind(row -> true);
    }

    /** The kind of the change for a reader of the rows that satisfy the condition. */
    public Kind kind(Predicate<List<Value>> condition) {
        boolean was = before.filter(condition).isPresent();
        boolean is = after.filter(condition).isPresent();
        if (was && is) {
            return before.equals(after) ? Kind.NONE : Kind.UPDATE;
        }
        if (is) {
            return before.isPresent() ? Kind.ENTER : Kind.INSERT;
        }
        if (was) {
            return after.isPresent() ? Kind.LEAVE : Kind.DELETE;
        }
        return Kind.NONE;
    }

    /** Compares the rows that a follower reports with those of the previous window's end. */
    public static final class Reporter implements Follower.Receiver, AutoCloseable {
        private final Reader before;
        private final Consumer<VisibleChange> changes;
        private final Map<TableName, RowLookup> lookups = new HashMap<>();

        /** @param before shows the rows as they were at the start of the window */
        public Reporter(Reader before, Consumer<VisibleChange> changes) {
            this.before = before;
            this.changes = changes;
        }

        @Override
        public void row(View view, List<Value> key, Optional<List<Value>> row) {
            RowLookup lookup = lookups.computeIfAbsent(view.name(), name -> view.lookup(before));
            VisibleChange change = new VisibleChange(view, key, lookup.row(key), row);
            if (change.kind() != Kind.NONE) {
                changes.accept(change);
            }
        }

        @Override
        public void close() {
            lookups.values().forEach(RowLookup::close);
        }
    }
}
