package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects the stored cells of a row that a read returns. The rules and their order are HBase's: versions are counted
 * without masked cells and those outside of the time range, and counted again after the filter.
 *
 * <p>It reads the column with the empty qualifier cell by cell, since the family's markers are interleaved with its
 * versions.
 */
final class RowMatcher {
    /** Why reading a row ended. */
    enum End {
        ROW_DONE,
        /** The step is full; {@link #read} resumes. */
        CUT
    }

    /** What to do with a cell, and where to continue. */
    private enum Move {
        INCLUDE,
        INCLUDE_AND_NEXT_COLUMN,
        INCLUDE_AND_NEXT_FAMILY,
        SKIP,
        NEXT_COLUMN,
        NEXT_FAMILY,
        /** The family's cell limit is reached: the filter is not called again. */
        FAMILY_FULL,
        SEEK,
        /** The filter is done: the family is not read again, in this row or a later one. */
        END_FAMILY
    }

    /** The families to read; a family is removed when the filter ends it. */
    private final List<FamilyPlan> plans;

    private final @Nullable CellFilter filter;
    private final boolean raw;
    private final boolean reversed;
    private final int familyLimit;
    private final int familyOffset;
    private final long nowMillis;

    private Bytes row = Bytes.EMPTY;
    private int plan;
    private boolean inFamily;
    private final DeleteMasks masks = new DeleteMasks();
    private boolean metMarkers;

    /** Index of the next selected column of the family. */
    private int wanted;

    private Bytes qualifier = Bytes.EMPTY;
    private int versions;
    private int versionsPassed;
    private int familyCells;
    private @Nullable CellPosition shownUpTo;
    private @Nullable Cell examined;

    /** The filter's seek target in another row; valid only if the filter gave a hint in every family of this row. */
    private @Nullable Bytes hintedRow;

    private boolean onlyHints;

    RowMatcher(CellTableSpec spec, Selection selection, boolean reversed, long nowMillis) {
        plans = new ArrayList<>(FamilyPlan.of(spec, selection, nowMillis));
        filter = selection.filter().orElse(null);
        raw = selection.raw();
        this.reversed = reversed;
        familyLimit = selection.familyLimit();
        familyOffset = selection.familyOffset();
        this.nowMillis = nowMillis;
    }

    /**
     * Starts a row. The cursor is before, on or within the row, and moves to its first cell of a selected family;
     * false if there is none.
     */
    boolean start(Bytes newRow, StoredCursor cursor) {
        row = newRow;
        plan = 0;
        inFamily = false;
        shownUpTo = null;
        examined = null;
        hintedRow = null;
        onlyHints = true;
        if (plans.isEmpty()) {
            return false;
        }
        if (!cursor.isOnCell()) {
            cursor.seek(CellPosition.startOf(row, plans.get(0).name(), Bytes.EMPTY));
        }
        return findFamily(cursor);
    }

    /** As {@link #start}, but resumes behind the cells that were already returned. */
    boolean resume(ResumePoint point, CellPosition last, StoredCursor cursor) {
        if (!start(point.row(), cursor)) {
            return false;
        }
        while (plan < plans.size() && plans.get(plan).name().compareTo(last.family()) < 0) {
            plan++;
            inFamily = false;
        }
        if (!findFamily(cursor) || !cursor.family().equals(last.family())) {
            return cursor.isOnCell() && findFamily(cursor);
        }
        familyCells = point.familyCells();
        shownUpTo = last;
        if (!last.qualifier().isEmpty()) {
            collectFamilyMarkers(cursor);
            cursor.seek(CellPosition.startOf(row, last.family(), last.qualifier()));
        }
        return findFamily(cursor);
    }

    private void collectFamilyMarkers(StoredCursor cursor) {
        FamilyPlan family = plans.get(plan);
        while (isInFamily(cursor, family) && cursor.qualifier().isEmpty()) {
            if (cursor.kind().isDelete() && !raw) {
                applyMarker(cursor, family);
            }
            cursor.next();
        }
    }

    private boolean isInFamily(StoredCursor cursor, FamilyPlan family) {
        return isInRow(cursor) && cursor.family().equals(family.name());
    }

    private boolean isInRow(StoredCursor cursor) {
        return cursor.isOnCell() && cursor.row().equals(row);
    }

    /** Where to resume a row that was cut: behind everything that was examined. */
    ResumePoint position() {
        Bytes family = plans.get(plan).name();
        Cell last = examined;
        CellPosition behind = last != null && last.family().equals(family)
                ? last.position()
                : CellPosition.startOf(row, family, Bytes.EMPTY);
        return new ResumePoint(row, Optional.of(behind), familyCells);
    }

    /** After a row: the next row to seek to, if the filter gave a hint in every family of this row. */
    Optional<Bytes> hintedRow() {
        return onlyHints ? Optional.ofNullable(hintedRow) : Optional.empty();
    }

    /** Reads until the row is done or the step is full. */
    End read(StoredCursor cursor, ReadStep step) {
        while (findFamily(cursor)) {
            if (step.cutsRow()) {
                return End.CUT;
            }
            step.examined();
            FamilyPlan family = plans.get(plan);
            Move move = look(cursor, family);
            go(cursor, family, showing(move, step));
        }
        return End.ROW_DONE;
    }

    /** Moves the cursor to the next selected family of the row unless it is in one; false if there is none. */
    private boolean findFamily(StoredCursor cursor) {
        while (plan < plans.size() && isInRow(cursor)) {
            FamilyPlan family = plans.get(plan);
            int order = cursor.family().compareTo(family.name());
            if (order == 0) {
                if (!inFamily) {
                    startFamily();
                }
                return true;
            }
            if (order > 0) {
                leaveFamily();
            } else {
                cursor.seek(CellPosition.startOf(row, family.name(), Bytes.EMPTY));
            }
        }
        if (inFamily) {
            leaveFamily();
        }
        return false;
    }

    private void startFamily() {
        inFamily = true;
        masks.startFamily();
        wanted = 0;
        familyCells = 0;
        startColumn(Bytes.EMPTY);
    }

    /**
     * Ends the family in this row. HBase then peeks at the family's cell in the next row, and before it notices the
     * new row it asks the filter whether it is done.
     */
    private void leaveFamily() {
        if (inFamily && filter != null && filter.isDone()) {
            endFamily();
        } else {
            passFamily();
        }
    }

    private void passFamily() {
        plan++;
        inFamily = false;
    }

    /**
     * As in HBase, where a filter that is done closes the scanner of the current family only: other families continue
     * if the filter, reset for the next row, is no longer done.
     */
    private void endFamily() {
        plans.remove(plan);
        inFamily = false;
    }

    /** Whether a delete marker was examined in any row so far. */
    boolean metMarkers() {
        return metMarkers;
    }

    /** Whether the filter has ended every family. */
    boolean isExhausted() {
        return plans.isEmpty();
    }

    private void startColumn(Bytes newQualifier) {
        qualifier = newQualifier;
        masks.startColumn();
        versions = 0;
        versionsPassed = 0;
    }

    private Move look(StoredCursor cursor, FamilyPlan family) {
        if (filter != null && filter.isDone()) {
            return Move.END_FAMILY;
        }
        Bytes found = cursor.qualifier();
        if (!found.equals(qualifier)) {
            startColumn(found);
        }
        CellKind kind = cursor.kind();
        long timestamp = cursor.timestamp();
        if (family.isExplicit() && !kind.isOfFamily() && !isWanted(family)) {
            return wanted == family.qualifiers().size() ? Move.NEXT_FAMILY : Move.NEXT_COLUMN;
        }
        if (family.minVersions() == 0 && family.isExpired(timestamp)) {
            return Move.NEXT_COLUMN;
        }
        if (!raw) {
            if (kind.isDelete()) {
                metMarkers = true;
                applyMarker(cursor, family);
                return Move.SKIP;
            }
            if (masks.masksRest(timestamp)) {
                return Move.NEXT_COLUMN;
            }
            if (masks.masksVersion(timestamp)) {
                return Move.SKIP;
            }
        }
        if (!family.times().isBeforeEnd(timestamp)) {
            return Move.SKIP;
        }
        return timestamp < family.times().min() ? Move.NEXT_COLUMN : lookAtVersion(cursor, family, kind, timestamp);
    }

    private void applyMarker(StoredCursor cursor, FamilyPlan family) {
        if (family.appliesMarker(cursor.timestamp())) {
            masks.add(cursor.kind(), cursor.timestamp());
        }
    }

    /** Whether the current column is selected; advances past selected columns before it. */
    private boolean isWanted(FamilyPlan family) {
        List<Bytes> qualifiers = family.qualifiers();
        while (wanted < qualifiers.size()) {
            int order = qualifiers.get(wanted).compareTo(qualifier);
            if (order >= 0) {
                return order == 0;
            }
            wanted++;
        }
        return false;
    }

    private Move lookAtVersion(StoredCursor cursor, FamilyPlan family, CellKind kind, long timestamp) {
        Cell cell = cursor.cell();
        examined = cell;
        if (FamilyPlan.hasOutlived(cell, nowMillis)) {
            return Move.SKIP;
        }
        if (!kind.isDelete()) {
            versions++;
        }
        if (versions > family.versionsStored()) {
            return Move.NEXT_COLUMN;
        }
        boolean last = versions == family.versionsStored() && !raw;
        if (family.isExpired(timestamp)) {
            // For a column selected by name, HBase returns the first expired version even beyond the minimum number of
            // versions.
            if (family.isExplicit()) {
                last = last || versions >= family.minVersions();
            } else if (versions > family.minVersions()) {
                return Move.NEXT_COLUMN;
            }
        }
        Move move = last ? Move.INCLUDE_AND_NEXT_COLUMN : Move.INCLUDE;
        return filter == null ? move : filtered(move, filter, cell, family);
    }

    private Move filtered(Move move, CellFilter asked, Cell cell, FamilyPlan family) {
        boolean last = move == Move.INCLUDE_AND_NEXT_COLUMN;
        FilterDecision answer = asked.filter(cell);
        onlyHints = onlyHints && answer == FilterDecision.SEEK;
        return switch (answer) {
            case SKIP -> last ? Move.NEXT_COLUMN : Move.SKIP;
            case NEXT_COLUMN -> Move.NEXT_COLUMN;
            case NEXT_ROW -> Move.NEXT_FAMILY;
            case SEEK -> Move.SEEK;
            case INCLUDE -> passed(move, family);
            case INCLUDE_AND_NEXT_COLUMN -> passed(Move.INCLUDE_AND_NEXT_COLUMN, family);
            case INCLUDE_AND_NEXT_ROW -> passed(Move.INCLUDE_AND_NEXT_FAMILY, family);
        };
    }

    private Move passed(Move move, FamilyPlan family) {
        versionsPassed++;
        if (versionsPassed <= family.versionsShown()) {
            return move;
        }
        return move == Move.INCLUDE_AND_NEXT_FAMILY ? Move.NEXT_FAMILY : Move.NEXT_COLUMN;
    }

    /** Adds an included cell to the step; returns where to continue. */
    private Move showing(Move move, ReadStep step) {
        boolean includes =
                move == Move.INCLUDE || move == Move.INCLUDE_AND_NEXT_COLUMN || move == Move.INCLUDE_AND_NEXT_FAMILY;
        Cell cell = examined;
        if (!includes || cell == null) {
            return move;
        }
        if (shownUpTo != null && cell.position().compareTo(shownUpTo) <= 0) {
            return behind(move);
        }
        familyCells++;
        if (familyLimit == 0) {
            return Move.FAMILY_FULL;
        }
        if (familyCells <= familyOffset) {
            return behind(move);
        }
        step.add(filter == null ? cell : filter.transform(cell));
        // As in HBase, the cell that reaches the family's limit is its last: the filter sees no further cell.
        boolean full = familyLimit > 0 && familyCells >= (long) familyOffset + familyLimit;
        return full ? Move.FAMILY_FULL : behind(move);
    }

    private static Move behind(Move move) {
        return switch (move) {
            case INCLUDE_AND_NEXT_COLUMN -> Move.NEXT_COLUMN;
            case INCLUDE_AND_NEXT_FAMILY -> Move.NEXT_FAMILY;
            default -> Move.SKIP;
        };
    }

    private void go(StoredCursor cursor, FamilyPlan family, Move move) {
        switch (move) {
            case NEXT_COLUMN -> nextColumn(cursor, family);
            case NEXT_FAMILY -> leaveFamily();
            case FAMILY_FULL -> passFamily();
            case END_FAMILY -> endFamily();
            case SEEK -> followHint(cursor);
            default -> cursor.next();
        }
    }

    private void nextColumn(StoredCursor cursor, FamilyPlan family) {
        if (!family.isExplicit()) {
            nextOfAll(cursor);
            return;
        }
        if (isWanted(family)) {
            wanted++;
        }
        if (wanted == family.qualifiers().size()) {
            leaveFamily();
        } else if (qualifier.isEmpty()) {
            cursor.next();
        } else {
            cursor.seek(
                    CellPosition.startOf(row, family.name(), family.qualifiers().get(wanted)));
        }
    }

    /**
     * Versions of the column with the empty qualifier are interleaved with the family's markers, so we skip none. As
     * in HBase, a filter that asked for the next column is then called for the next version.
     */
    private void nextOfAll(StoredCursor cursor) {
        if (qualifier.isEmpty()) {
            cursor.next();
        } else {
            cursor.skipColumn();
        }
    }

    /** Ignores a hint that is not ahead. A hint in another row ends this family of the row. */
    private void followHint(StoredCursor cursor) {
        CellFilter asked = filter;
        Cell cell = examined;
        Optional<CellPosition> hint = asked == null || cell == null ? Optional.empty() : asked.hint(cell);
        int rowOrder = hint.map(position -> position.row().compareTo(row)).orElse(0);
        if (reversed ? rowOrder < 0 : rowOrder > 0) {
            hintTo(hint.get().row());
            leaveFamily();
        } else if (hint.isPresent() && rowOrder == 0 && !reversed && isAhead(hint.get(), cursor)) {
            cursor.seek(hint.get());
        } else {
            cursor.next();
        }
    }

    private static boolean isAhead(CellPosition position, StoredCursor cursor) {
        return position.compareTo(cursor.cell().position()) > 0;
    }

    /** Keeps the nearest of the hints of several families. */
    private void hintTo(Bytes target) {
        Bytes before = hintedRow;
        boolean nearer = before == null || (reversed ? target.compareTo(before) > 0 : target.compareTo(before) < 0);
        if (nearer) {
            hintedRow = target;
        }
    }
}
