package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which cells of a row a read wants.
 *
 * @param families the families and what is wanted of each; empty for all of them, whole
 * @param maxVersions how many versions of a column at most; fewer when the family keeps fewer
 * @param familyLimit how many cells of each family of a row at most, {@link #NO_LIMIT} for all
 * @param familyOffset how many cells of each family of a row are left out first
 * @param raw shows everything that is still stored: masked cells and the delete markers too
 */
public record Selection(
        NavigableMap<Bytes, FamilySelection> families,
        TimeRange times,
        int maxVersions,
        int familyLimit,
        int familyOffset,
        Optional<CellFilter> filter,
        boolean raw) {
    public static final int NO_LIMIT = -1;

    /** The newest version of every column. */
    public static final Selection ALL =
            new Selection(Collections.emptyNavigableMap(), TimeRange.ALL, 1, NO_LIMIT, 0, Optional.empty(), false);

    public Selection {
        if (maxVersions < 1 || familyLimit < NO_LIMIT || familyOffset < 0) {
            throw new CellException(CellError.BAD_REQUEST, "A number of a read is negative or zero");
        }
        families = Collections.unmodifiableNavigableMap(new TreeMap<>(families));
    }

    public static Selection family(Bytes family) {
        return ALL.with(family, FamilySelection.WHOLE);
    }

    public static Selection column(Bytes family, Bytes qualifier) {
        return ALL.with(family, FamilySelection.of(new TreeSet<>(Collections.singleton(qualifier))));
    }

    /** This, and the family as said; what was said of it before is forgotten. */
    public Selection with(Bytes family, FamilySelection selection) {
        NavigableMap<Bytes, FamilySelection> more = new TreeMap<>(families);
        more.put(family, selection);
        return new Selection(more, times, maxVersions, familyLimit, familyOffset, filter, raw);
    }

    public Selection withColumns(Bytes family, Collection<Bytes> qualifiers) {
        return with(family, FamilySelection.of(qualifiers));
    }

    public Selection withTimes(TimeRange range) {
        return new Selection(families, range, maxVersions, familyLimit, familyOffset, filter, raw);
    }

    public Selection withMaxVersions(int versions) {
        return new Selection(families, times, versions, familyLimit, familyOffset, filter, raw);
    }

    public Selection withFamilyPage(int limit, int offset) {
        return new Selection(families, times, maxVersions, limit, offset, filter, raw);
    }

    public Selection withFilter(CellFilter newFilter) {
        return new Selection(families, times, maxVersions, familyLimit, familyOffset, Optional.of(newFilter), raw);
    }

    public Selection withoutFilter() {
        return new Selection(families, times, maxVersions, familyLimit, familyOffset, Optional.empty(), raw);
    }

    public Selection asRaw() {
        return new Selection(families, times, maxVersions, familyLimit, familyOffset, filter, true);
    }

    public boolean wants(Bytes family) {
        return families.isEmpty() || families.containsKey(family);
    }

    /** What is wanted of a family that {@link #wants} says is wanted. */
    public FamilySelection of(Bytes family) {
        return families.getOrDefault(family, FamilySelection.WHOLE);
    }
}
