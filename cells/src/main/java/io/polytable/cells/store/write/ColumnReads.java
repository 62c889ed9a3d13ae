package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.TimeRange;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The reads of a row that a write depends on.
 *
 * @param valueBytesMax a longer value aborts the write with {@link TakesLongException}
 */
record ColumnReads(LiveTable table, Bytes row, Reader reader, long nowMillis, int valueBytesMax) {
    /** A write that must be brief would take long; it has changed nothing. */
    static final class TakesLongException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private TakesLongException() {
            super("The write takes long", null, false, false);
        }
    }

    Optional<Cell> newest(Bytes family, Bytes qualifier, TimeRange times) {
        List<Cell> found = versions(family, qualifier, times, 1);
        return found.isEmpty() ? Optional.empty() : Optional.of(inTime(found.get(0)));
    }

    /** At most {@code count} versions, newest first. */
    List<Cell> versions(Bytes family, Bytes qualifier, TimeRange times, int count) {
        return select(column(family, qualifier, times).withMaxVersions(count));
    }

    /** The newest version and the older puts. */
    RowReads.Newest newestAndOlder(Bytes family, Bytes qualifier, TimeRange times, CounterCache counters) {
        RowReads.Newest found = RowReads.newest(
                table.through(reader, nowMillis),
                row,
                column(family, qualifier, times),
                newest -> counters.isClean(table.physical(), newest));
        found.cell().ifPresent(this::inTime);
        return found;
    }

    private Cell inTime(Cell cell) {
        if (cell.value().length() > valueBytesMax) {
            throw new TakesLongException();
        }
        return cell;
    }

    private static Selection column(Bytes family, Bytes qualifier, TimeRange times) {
        return Selection.ALL.with(family, FamilySelection.of(Set.of(qualifier))).withTimes(times);
    }

    List<Cell> select(Selection selection) {
        return RowReads.read(table.through(reader, nowMillis), row, selection).cells();
    }
}
