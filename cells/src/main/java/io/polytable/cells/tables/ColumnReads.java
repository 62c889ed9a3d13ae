package io.polytable.cells.tables;

import io.polytable.cells.Cell;
import io.polytable.cells.FamilySelection;
import io.polytable.cells.Selection;
import io.polytable.cells.TimeRange;
import io.polytable.cells.read.RowReads;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What writes read of a row before they decide. */
record ColumnReads(LiveTable table, Bytes row, Reader reader, long nowMillis) {
    Optional<Cell> newest(Bytes family, Bytes qualifier, TimeRange times) {
        List<Cell> found = versions(family, qualifier, times, 1);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    /** At most so many versions, newest first. */
    List<Cell> versions(Bytes family, Bytes qualifier, TimeRange times, int count) {
        return select(column(family, qualifier, times).withMaxVersions(count));
    }

    /** The newest version, and the puts behind it. */
    RowReads.Newest newestAndOlder(Bytes family, Bytes qualifier, TimeRange times, CleanCounters counters) {
        return RowReads.newest(
                table.through(reader, nowMillis),
                row,
                column(family, qualifier, times),
                newest -> counters.isClean(table.physical(), newest));
    }

    private static Selection column(Bytes family, Bytes qualifier, TimeRange times) {
        return Selection.ALL.with(family, FamilySelection.of(Set.of(qualifier))).withTimes(times);
    }

    List<Cell> select(Selection selection) {
        return RowReads.read(table.through(reader, nowMillis), row, selection).cells();
    }
}
