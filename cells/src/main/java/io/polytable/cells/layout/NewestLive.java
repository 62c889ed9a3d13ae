package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.table.Bytes;
import java.util.HashSet;
import java.util.Set;

/** Finds the newest version of each column that no delete masks, among a row's cells given in order. */
final class NewestLive {
    private Bytes family = Bytes.EMPTY;
    private Bytes qualifier = Bytes.EMPTY;
    private long familyUpTo;
    private long columnUpTo;
    private final Set<Long> familyVersions = new HashSet<>();
    private final Set<Long> versions = new HashSet<>();
    private boolean found;

    boolean is(Cell cell) {
        if (!cell.family().equals(family)) {
            family = cell.family();
            familyUpTo = -1;
            familyVersions.clear();
            startColumn(cell);
        } else if (!cell.qualifier().equals(qualifier)) {
            startColumn(cell);
        }
        if (cell.kind() != CellKind.PUT) {
            mark(cell);
            return false;
        }
        long timestamp = cell.timestamp();
        boolean masked = timestamp <= familyUpTo
                || timestamp <= columnUpTo
                || familyVersions.contains(timestamp)
                || versions.contains(timestamp);
        if (found || masked) {
            return false;
        }
        found = true;
        return true;
    }

    private void startColumn(Cell cell) {
        qualifier = cell.qualifier();
        columnUpTo = -1;
        versions.clear();
        found = false;
    }

    private void mark(Cell cell) {
        switch (cell.kind()) {
            case DELETE_FAMILY -> familyUpTo = Math.max(familyUpTo, cell.timestamp());
            case DELETE_FAMILY_VERSION -> familyVersions.add(cell.timestamp());
            case DELETE_COLUMN -> columnUpTo = Math.max(columnUpTo, cell.timestamp());
            case DELETE_VERSION -> versions.add(cell.timestamp());
            case PUT -> throw new IllegalArgumentException("not a marker");
        }
    }
}
