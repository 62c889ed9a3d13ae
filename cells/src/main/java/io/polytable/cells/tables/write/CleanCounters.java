package io.polytable.cells.tables.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.tables.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which counters have one version behind their last one and no more, and of some of them the last step itself. A counter of
 * a family that keeps one version deletes an old one at each step; whoever looks for more of them walks over all that it
 * ever deleted. Of two counters that share a place here one is forgotten, and so is one that is put to: then somebody looks
 * again, which is slow but not wrong.
 *
 * <p>A counter whose last step is known is not read at all. Every write forgets the step of its row, with the row's stripe
 * held, and only an increment or an append puts another in its place: a short value that is appended to is a counter here, too.
 */
final class CleanCounters {
    private static final int SLOTS = 1 << 14;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int STEPS_MAX = 1 << 13;

    /** A cell with longer names and value is read at each step: what is kept here shall be a few megabytes at most. */
    private static final int STEP_BYTES_MAX = 256;

    private final AtomicLongArray marks = new AtomicLongArray(SLOTS);
    private final AtomicReferenceArray<@Nullable Step> steps = new AtomicReferenceArray<>(STEPS_MAX);
    private volatile boolean used;

    /** A counter's newest version and the one that it left behind. */
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

        /** The same table in the same life: one that was altered twice may look as before, and yet have lost cells. */
        @SuppressWarnings("ReferenceEquality")
        private boolean isOf(LiveTable asked, Bytes row, Bytes family, Bytes qualifier) {
            return committed
                    && table == asked
                    && newest.row().equals(row)
                    && newest.qualifier().equals(qualifier)
                    && newest.family().equals(family);
        }
    }

    /** The last step of a counter, if nothing can have happened to its row since, as a read of it would find it. */
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
     * The step from one version of a counter to the next, for which there must be neither markers nor times to live: then the
     * next version is what every later read finds. Empty where it is not kept.
     */
    static Optional<Step> step(LiveTable table, Cell before, Cell after) {
        int bytes = after.row().length()
                + after.family().length()
                + after.qualifier().length()
                + after.value().length();
        if (bytes > STEP_BYTES_MAX) {
            return Optional.empty();
        }
        // Copies: these may be slices of a whole request.
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

    void stepped(Step step) {
        used = true;
        steps.set(rowSlot(step.table.physical(), step.newest.row()), step);
    }

    /** The row is written. */
    void forget(Table table, Bytes row) {
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

    void cleaned(Table table, Cell last) {
        used = true;
        long column = column(table, last.row(), last.family(), last.qualifier());
        marks.set(slot(column), mark(column, last.timestamp()));
    }

    /** The column may get a version that is not a step of its counter. */
    void forget(Table table, Bytes row, Bytes family, Bytes qualifier) {
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

    /** Never 0, which says that nothing is known. */
    private static long mark(long column, long timestamp) {
        return (column ^ timestamp * MIX) | 1;
    }
}
