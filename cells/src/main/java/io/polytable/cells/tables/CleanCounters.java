package io.polytable.cells.tables;

import io.polytable.cells.Cell;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which counters have one version behind their last one and no more. A counter of a family that keeps one version deletes
 * an old one at each step; whoever looks for more of them walks over all that it ever deleted. Of two counters that share a
 * place here one is forgotten, and so is one that is put to: then somebody looks again, which is slow but not wrong.
 */
final class CleanCounters {
    private static final int SLOTS = 1 << 14;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final AtomicLongArray marks = new AtomicLongArray(SLOTS);
    private volatile boolean used;

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
