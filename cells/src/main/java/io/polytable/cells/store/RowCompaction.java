package io.polytable.cells.store;

import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.RowEditor;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.read.Retention;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import io.polytable.table.write.WriteSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Removes the garbage of one row. The row may have changed since the snapshot: a marker or a cell may have been
 * rewritten at the same position. So a row with little garbage is rechecked while its stripe is held. A row with much
 * garbage is cleaned in bounded commits; what writes cannot change is removed as found in the snapshot, the rest after
 * a recheck. Its markers must outlive what they mask, so they are removed last, by a recheck of the whole row.
 */
final class RowCompaction {
    private static final int REMOVED_PER_COMMIT = 500;

    /**
     * A row that is still wider than this after cleaning keeps its markers: a recheck would hold the stripe for too
     * long.
     */
    private static final int RECHECK_CELLS_MAX = 20_000;

    private final TableStore store;
    private final LiveTable table;
    private final Bytes row;
    private final InstantSource clock;
    private final boolean markers;
    private final List<Found> found = new ArrayList<>();
    private long removed;

    private record Found(CellPosition position, boolean changeable) {}

    RowCompaction(TableStore store, LiveTable table, Bytes row, InstantSource clock, boolean markers) {
        this.store = store;
        this.table = table;
        this.row = row;
        this.clock = clock;
        this.markers = markers;
    }

    void add(CellPosition position, boolean changeable) {
        found.add(new Found(position, changeable));
        if (found.size() == REMOVED_PER_COMMIT) {
            removeFound();
        }
    }

    /** Ends the row after all its {@code width} cells were examined; returns how many were removed. */
    long finish(long width) {
        if (!found.isEmpty() || (removed > 0 && markers)) {
            boolean isWide = width - removed > RECHECK_CELLS_MAX;
            if (isWide) {
                removeFound();
            } else {
                locked(this::recheck);
            }
        }
        return removed;
    }

    /**
     * Removes the puts found in the snapshot. Releases the stripe in between, so that writers of the row can proceed.
     */
    private void removeFound() {
        found.removeIf(garbage -> isMarker(garbage.position()));
        found.sort(Comparator.comparing(Found::position));
        while (!found.isEmpty()) {
            locked(this::removeSome);
        }
    }

    private void locked(Runnable action) {
        Stripes stripes = store.stripes();
        int stripe = stripes.stripeOf(CellRows.partition(row));
        stripes.lock(stripe);
        try {
            action.run();
        } finally {
            stripes.unlock(stripe);
        }
    }

    /** Removes the garbage that cannot have changed, and of the rest what one bounded recheck confirms. */
    private void removeSome() {
        List<CellPosition> changeable =
                found.stream().filter(Found::changeable).map(Found::position).toList();
        Retention.Recheck look = stillGarbage(changeable);
        Set<CellPosition> later = Set.copyOf(changeable.subList(look.positions(), changeable.size()));
        List<Found> left = found.stream()
                .filter(garbage -> later.contains(garbage.position()))
                .toList();
        found.removeIf(garbage -> garbage.changeable() && !look.garbage().contains(garbage.position()));
        remove();
        found.clear();
        found.addAll(left);
    }

    private static boolean isMarker(CellPosition position) {
        return position.kindCode() != CellKind.PUT.code();
    }

    private Retention.Recheck stillGarbage(List<CellPosition> positions) {
        if (positions.isEmpty()) {
            return new Retention.Recheck(Set.of(), 0);
        }
        try (StoredCursor cursor = CellRows.row(store, table.physical(), row)) {
            return new Retention(table.spec(), clock.millis(), false)
                    .stillGarbage(cursor, positions, RECHECK_CELLS_MAX);
        }
    }

    /** Removes the garbage of the row's current state. */
    private void recheck() {
        found.clear();
        try (StoredCursor cursor = CellRows.row(store, table.physical(), row)) {
            if (cursor.next()) {
                new Retention(table.spec(), clock.millis(), markers)
                        .row(cursor, (position, changeable) -> found.add(new Found(position, changeable)));
            }
        }
        remove();
        found.clear();
    }

    private void remove() {
        if (found.isEmpty()) {
            return;
        }
        WriteSet set = new WriteSet(store);
        RowEditor editor = new RowEditor(set, table.physical(), CellRows.partition(row));
        found.forEach(garbage -> editor.remove(garbage.position()));
        set.commit();
        removed += found.size();
    }
}
