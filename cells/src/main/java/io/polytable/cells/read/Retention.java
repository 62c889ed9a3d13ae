package io.polytable.cells.read;

import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds garbage: the cells of a row that no read can return any more. They are masked, expired, beyond the number of
 * versions that the family keeps, or of a removed family. Delete markers are garbage only on request, since they must
 * mask puts with older timestamps that arrive late.
 */
public final class Retention {
    /**
     * A marker may be removed only after everything that it masks, so markers are collected until the end of the row,
     * up to this number.
     */
    private static final int MARKERS_MAX = 10_000;

    /** Receives the garbage. */
    @FunctionalInterface
    public interface Garbage {
        /**
         * The cell at the position is garbage.
         *
         * @param changeable whether later writes may change that: another put at its position with a longer time to
         *     live, or deletes of the newer versions that displace it
         */
        void found(CellPosition position, boolean changeable);
    }

    private final CellTableSpec spec;
    private final long nowMillis;
    private final boolean dropsMarkers;

    private final DeleteMasks masks = new DeleteMasks();
    private final List<CellPosition> spentMarkers = new ArrayList<>();
    private Bytes family = Bytes.EMPTY;
    private @Nullable FamilySpec rules;
    private Bytes qualifier = Bytes.EMPTY;
    private int versions;

    public Retention(CellTableSpec spec, long nowMillis, boolean dropsMarkers) {
        this.spec = spec;
        this.nowMillis = nowMillis;
        this.dropsMarkers = dropsMarkers;
    }

    /**
     * Reports the garbage from the cursor's cell to the end of its row, in an order that is safe to delete in: markers
     * after what they mask. Returns how many cells it examined.
     */
    public long row(StoredCursor cursor, Garbage garbage) {
        Bytes row = cursor.row();
        spentMarkers.clear();
        family = Bytes.EMPTY;
        long examined = 0;
        do {
            examined++;
            if (!cursor.family().equals(family)) {
                startFamily(cursor.family());
            } else if (!cursor.qualifier().equals(qualifier)) {
                startColumn();
            }
            qualifier = cursor.qualifier();
            look(cursor, garbage);
        } while (cursor.next() && cursor.row().equals(row));
        spentMarkers.forEach(marker -> garbage.found(marker, false));
        return examined;
    }

    /**
     * The result of a recheck.
     *
     * @param garbage cells that are still garbage
     * @param positions how many of the positions were rechecked, at least one
     */
    public record Recheck(Set<CellPosition> garbage, int positions) {}

    /**
     * Rechecks positions, all of one row and in order, with a cursor before the row: which cells are still garbage?
     * Stops once it examined {@code cellsMax} cells.
     */
    public Recheck stillGarbage(StoredCursor cursor, List<CellPosition> positions, long cellsMax) {
        Set<CellPosition> garbage = new HashSet<>();
        family = Bytes.EMPTY;
        long examined = 0;
        int done = 0;
        while (done < positions.size() && examined < cellsMax) {
            CellPosition position = positions.get(done++);
            if (!position.family().equals(family)) {
                startFamily(position.family());
                qualifier = Bytes.EMPTY;
                // Covers the family's markers and the column with the empty qualifier, whose versions are interleaved
                // with them.
                cursor.seek(CellPosition.startOf(position.row(), family, Bytes.EMPTY));
            }
            examined += lookUpTo(position, Bytes.EMPTY, cursor, garbage);
            if (!position.qualifier().equals(qualifier)) {
                startColumn();
                qualifier = position.qualifier();
                cursor.seek(CellPosition.startOf(position.row(), family, qualifier));
            }
            examined += lookUpTo(position, qualifier, cursor, garbage);
        }
        return new Recheck(garbage, done);
    }

    /** Examines the column's cells up to the position. */
    private long lookUpTo(CellPosition position, Bytes column, StoredCursor cursor, Set<CellPosition> garbage) {
        long examined = 0;
        while (isInColumn(position, column, cursor)) {
            CellPosition here = position(cursor);
            if (here.compareTo(position) > 0) {
                break;
            }
            examined++;
            look(cursor, (found, changeable) -> garbage.add(found));
            cursor.next();
        }
        return examined;
    }

    private boolean isInColumn(CellPosition position, Bytes column, StoredCursor cursor) {
        return cursor.isOnCell()
                && cursor.qualifier().equals(column)
                && cursor.family().equals(family)
                && cursor.row().equals(position.row());
    }

    private void startFamily(Bytes name) {
        family = name;
        Optional<FamilySpec> known = spec.family(name);
        rules = known.orElse(null);
        masks.startFamily();
        versions = 0;
    }

    private void startColumn() {
        masks.startColumn();
        versions = 0;
    }

    private void spend(CellPosition marker) {
        if (spentMarkers.size() < MARKERS_MAX) {
            spentMarkers.add(marker);
        }
    }

    private void look(StoredCursor cursor, Garbage garbage) {
        CellKind kind = cursor.kind();
        long timestamp = cursor.timestamp();
        FamilySpec kept = rules;
        if (kept == null) {
            garbage.found(position(cursor), false);
            return;
        }
        boolean expired = timestamp < FamilyPlan.unexpiredFrom(kept, nowMillis);
        if (expired && kept.minVersions() == 0) {
            garbage.found(position(cursor), false);
        } else if (kind.isDelete()) {
            lookAtMarker(cursor, kept, expired);
        } else if (masks.masks(timestamp)) {
            garbage.found(position(cursor), false);
        } else if (FamilyPlan.hasOutlived(cursor.cell(), nowMillis)) {
            garbage.found(position(cursor), true);
        } else {
            versions++;
            if (isBeyondVersions(kept, expired)) {
                garbage.found(position(cursor), true);
            }
        }
    }

    private void lookAtMarker(StoredCursor cursor, FamilySpec kept, boolean expired) {
        boolean removesMasked =
                kept.keepDeleted() == KeepDeleted.NEVER || (kept.keepDeleted() == KeepDeleted.UNTIL_TTL && expired);
        if (removesMasked) {
            masks.add(cursor.kind(), cursor.timestamp());
        }
        // As in HBase, a marker whose masked cells are kept is retained like a version at its position.
        if (dropsMarkers && (removesMasked || isBeyondVersions(kept, expired))) {
            spend(position(cursor));
        }
    }

    /** Whether the current version exceeds the number of versions that the family keeps. */
    private boolean isBeyondVersions(FamilySpec kept, boolean expired) {
        return versions > kept.maxVersions() || (expired && versions > kept.minVersions());
    }

    private static CellPosition position(StoredCursor cursor) {
        return new CellPosition(
                cursor.row(),
                cursor.family(),
                cursor.qualifier(),
                cursor.timestamp(),
                cursor.kind().code());
    }
}
