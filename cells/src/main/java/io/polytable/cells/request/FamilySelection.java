package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The part of a read that concerns one family.
 *
 * @param qualifiers the columns; empty for all of them (the column with the empty qualifier is named by {@link
 *     Bytes#EMPTY} in the set)
 * @param times overrides the selection's time range
 * @param maxVersions overrides the selection's number of versions
 */
public record FamilySelection(NavigableSet<Bytes> qualifiers, Optional<TimeRange> times, OptionalInt maxVersions) {
    public static final FamilySelection WHOLE =
            new FamilySelection(Collections.emptyNavigableSet(), Optional.empty(), OptionalInt.empty());

    public FamilySelection {
        if (qualifiers.size() > CellLimits.COLUMNS_PER_READ_MAX) {
            throw new CellException(
                    CellError.TOO_LARGE, "A read names too many columns", Map.of("columns", qualifiers.size()));
        }
        if (maxVersions.isPresent() && maxVersions.getAsInt() < 1) {
            throw new CellException(CellError.BAD_REQUEST, "A read wants at least one version");
        }
        qualifiers = Collections.unmodifiableNavigableSet(new TreeSet<>(qualifiers));
    }

    public static FamilySelection of(Collection<Bytes> qualifiers) {
        return new FamilySelection(new TreeSet<>(qualifiers), Optional.empty(), OptionalInt.empty());
    }

    public FamilySelection withTimes(TimeRange range) {
        return new FamilySelection(qualifiers, Optional.of(range), maxVersions);
    }

    public FamilySelection withMaxVersions(int versions) {
        return new FamilySelection(qualifiers, times, OptionalInt.of(versions));
    }
}
