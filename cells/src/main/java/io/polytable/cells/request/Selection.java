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
 * The cells of a row that a read returns.
 *
 * @param families the selected families; empty for all of them, with all columns
 * @param maxVersions the maximum number of versions of a column; fewer if the family keeps fewer
 * @param familyLimit the maximum number of cells per family and row, {@link #NO_LIMIT} for none
 * @param familyOffset how many cells per family and row are skipped first
 * @param raw returns everything that is still stored, including masked cells and delete markers
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

    /** Adds the family, or replaces what this selects of it. */
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

    public Selection asRaw() {
        return new Selection(families, times, maxVersions, familyLimit, familyOffset, filter, true);
    }

    public boolean wants(Bytes family) {
        return families.isEmpty() || families.containsKey(family);
    }

    /** The selection within a family that {@link #wants} includes. */
    public FamilySelection of(Bytes family) {
        return families.getOrDefault(family, FamilySelection.WHOLE);
    }
}
