package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache for increments and appends: which counters have exactly one older version stored, and the last step of some
 * of them. In a family that keeps one version, each step of a counter deletes an old version, so a search for further
 * old versions walks over the tombstones of all earlier steps. Two counters that hash to the same slot evict each
 * other, and a put evicts its column: the next step then searches again, which is slow but correct.
 *
 * <p>A counter with a cached step is not read at all. Every write evicts its row's step while it holds the row's
 * stripe, and only an increment or append caches a new one. A short value that is appended to counts as a counter
 * here.
 */
final class CounterCache {
    private static final int SLOTS = 1 << 14;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int STEPS_MAX = 1 << 13;

    /** Larger cells are not cached, so that the cache takes a few megabytes at most. */
    private static final int STEP_BYTES_MAX = 256;

    private final AtomicLongArray marks = new AtomicLongArray(SLOTS);
    private final AtomicReferenceArray<@Nullable Step> steps = new AtomicReferenceArray<>(STEPS_MAX);
    private volatile boolean used;

    /** A counter's newest version and the one before it. */
    static final class Step {
        private final LiveTable table;
        private final Cell newest;
        private final CellPosition older;
        private volatile boolean committed;

        private Step(LiveTable table, Cell newest, CellPosition older) {
            this.table = table;
            this.newest = newest;
            this.older = older;
        }

        void committed() {
            committed = true;
        }

        /**
         * Compares the table by identity: after two alterations its definition may be as before, yet cells are gone.
         */
        @SuppressWarnings("ReferenceEquality")
        private boolean isOf(LiveTable asked, Bytes row, Bytes family, Bytes qualifier) {
            return committed
                    && table == asked
                    && newest.row().equals(row)
                    && newest.qualifier().equals(qualifier)
                    && newest.family().equals(family);
        }
    }

    /** The cached last step of a counter, in the form of a read's result; empty if the row may have changed since. */
    Optional<RowReads.Newest> last(LiveTable table, Bytes row, Bytes family, Bytes qualifier) {
        if (!used) {
            return Optional.empty();
        }
        Step step = steps.get(rowSlot(table.physical(), row));
        return step != null && step.isOf(table, row, family, qualifier)
                ? Optional.of(new RowReads.Newest(Optional.of(step.newest), List.of(step.older), true, false))
                : Optional.empty();
    }

    /**
     * A step from one version of a counter to the next. There must be neither markers nor a time to live, so that
     * every later read finds the next version. Empty if it is too large to cache.
     */
    static Optional<Step> step(LiveTable table, Cell before, Cell after) {
        int bytes = after.row().length()
                + after.family().length()
                + after.qualifier().length()
                + after.value().length();
        if (bytes > STEP_BYTES_MAX) {
            return Optional.empty();
        }
        // Copies, since these may be slices of a whole request.
        Bytes row = after.row().copy();
        Bytes family = after.family().copy();
        Bytes qualifier = after.qualifier().copy();
        Cell newest = new Cell(
                row,
                family,
                qualifier,
                after.timestamp(),
                after.kind(),
                after.value().copy());
        CellPosition older = new CellPosition(
                row, family, qualifier, before.timestamp(), before.kind().code());
        return Optional.of(new Step(table, newest, older));
    }

    void cache(Step step) {
        used = true;
        steps.set(rowSlot(step.table.physical(), step.newest.row()), step);
    }

    /** Evicts the step of a row that is written. */
    void evict(Table table, Bytes row) {
        if (used) {
            int slot = rowSlot(table, row);
            if (steps.get(slot) != null) {
                steps.set(slot, null);
            }
        }
    }

    private static int rowSlot(Table table, Bytes row) {
        return (int) (((table.id() ^ row.hashCode()) * MIX) >>> 32) & (STEPS_MAX - 1);
    }

    boolean isClean(Table table, Cell last) {
        if (!used) {
            return false;
        }
        long column = column(table, last.row(), last.family(), last.qualifier());
        return marks.get(slot(column)) == mark(column, last.timestamp());
    }

    void markClean(Table table, Cell last) {
        used = true;
        long column = column(table, last.row(), last.family(), last.qualifier());
        marks.set(slot(column), mark(column, last.timestamp()));
    }

    /** Evicts a column that may get a version other than by a step of its counter. */
    void evict(Table table, Bytes row, Bytes family, Bytes qualifier) {
        if (used) {
            marks.set(slot(column(table, row, family, qualifier)), 0);
        }
    }

    private static long column(Table table, Bytes row, Bytes family, Bytes qualifier) {
        long hash = table.id();
        hash = (hash ^ row.hashCode()) * MIX;
        hash = (hash ^ family.hashCode()) * MIX;
        return (hash ^ qualifier.hashCode()) * MIX;
    }

    private static int slot(long column) {
        return (int) (column >>> 32) & (SLOTS - 1);
    }

    /** Never 0, which marks an empty slot. */
    private static long mark(long column, long timestamp) {
        return (column ^ timestamp * MIX) | 1;
    }
}
