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
 * Walks over the stored cells of a row and picks those that a read shows. The rules, and their order, are HBase's:
 * versions are counted after masked cells and those outside of the time range are gone, and again after the filter.
 *
 * <p>The column with the empty qualifier is walked over cell by cell, since the markers of its family lie among its
 * versions.
 */
final class RowMatcher {
    /** Why a walk over a row ended. */
    enum End {
        ROW_DONE,
        /** The step is full; {@link #read} goes on. */
        CUT
    }

    /** What follows from a look at a cell. */
    private enum Move {
        INCLUDE,
        INCLUDE_AND_NEXT_COLUMN,
        INCLUDE_AND_NEXT_FAMILY,
        SKIP,
        NEXT_COLUMN,
        NEXT_FAMILY,
        /** The family has shown as many cells as it may: the filter is not asked again. */
        FAMILY_FULL,
        SEEK,
        /** The filter wants nothing more: the family is not read again, in this row or a later one. */
        END_FAMILY
    }

    /** The families that are still read; one goes when the filter ends it. */
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

    /** Of the family's wanted columns, the one looked for. */
    private int wanted;

    private Bytes qualifier = Bytes.EMPTY;
    private int versions;
    private int versionsPassed;
    private int familyCells;
    private @Nullable CellPosition shownUpTo;
    private @Nullable Cell examined;

    /** Where the filter wants to go on in another row; given up when a family of this row did not say so. */
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
     * Begins with a row. The cursor stands before, on or within it, and is moved to the row's first cell of a wanted
     * family; false when there is none.
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

    /** As {@link #start}, but goes on behind what was shown of the row. */
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
                heed(cursor, family);
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

    /** Where the walk over the row stands when it was cut: behind everything that was dealt with. */
    ResumePoint position() {
        Bytes family = plans.get(plan).name();
        Cell last = examined;
        CellPosition behind = last != null && last.family().equals(family)
                ? last.position()
                : CellPosition.startOf(row, family, Bytes.EMPTY);
        return new ResumePoint(row, Optional.of(behind), familyCells);
    }

    /** After a row: the row to go on with, when the filter named one in every family of this row. */
    Optional<Bytes> hintedRow() {
        return onlyHints ? Optional.ofNullable(hintedRow) : Optional.empty();
    }

    /** Goes on until the row is done or the step is full. */
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

    /** Whether the cursor stands in a wanted family of the row; moves it to the next one. */
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
     * The row's part of the family was looked at to its end. HBase then looks at the family's cell in the next row, and
     * before it knows that this is another row it asks the filter whether it is done.
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
     * As in HBase, where a filter that is done closes the scanner of the family it is asked in: other families go on when
     * the filter, reset for another row, has changed its mind.
     */
    private void endFamily() {
        plans.remove(plan);
        inFamily = false;
    }

    /** Whether any of the rows so far had a delete marker that was looked at. */
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
                heed(cursor, family);
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

    private void heed(StoredCursor cursor, FamilyPlan family) {
        if (family.heeds(cursor.timestamp())) {
            masks.add(cursor.kind(), cursor.timestamp());
        }
    }

    /** Whether the current column is the wanted one; columns before it are given up. */
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
            // Of a column asked for by name HBase shows the first expired version also beyond the least number kept.
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

    /** Shows an included cell; answers where to go on. */
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
        // As in HBase, the cell that fills the family is its last: the filter does not see another.
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
     * Among the versions of the column without a name there may be markers of the family, so none is skipped. As in HBase,
     * a filter that wanted the next column is then asked about the next version.
     */
    private void nextOfAll(StoredCursor cursor) {
        if (qualifier.isEmpty()) {
            cursor.next();
        } else {
            cursor.skipColumn();
        }
    }

    /** A hint that is not ahead is as good as none. One in another row ends this family of the row. */
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

    /** Of the hints of several families, the nearest. */
    private void hintTo(Bytes target) {
        Bytes before = hintedRow;
        boolean nearer = before == null || (reversed ? target.compareTo(before) > 0 : target.compareTo(before) < 0);
        if (nearer) {
            hintedRow = target;
        }
    }
}
