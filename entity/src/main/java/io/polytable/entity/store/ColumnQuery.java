package io.polytable.entity.store;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.filter.Qualifiers;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What is wanted of one family. No two queries of a read want the same column.
 *
 * @param qualifiers the stored qualifiers; empty for all, as of a map-type family
 * @param maxVersions how many versions of each column at most, after the filter
 * @param limit how many cells at most, {@link #NO_LIMIT} for all
 * @param after only cells behind this place in the order of cells
 */
public record ColumnQuery(
        String groupId,
        String familyId,
        Optional<NavigableSet<String>> qualifiers,
        CellTimes times,
        int maxVersions,
        Optional<ColumnFilter> filter,
        ValueMode values,
        int limit,
        Optional<CellPlace> after) {
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    public ColumnQuery {
        qualifiers = qualifiers.map(names -> {
            NavigableSet<String> sorted = new TreeSet<>(Qualifiers.ORDER);
            sorted.addAll(names);
            return Collections.unmodifiableNavigableSet(sorted);
        });
    }

    /** Whether the store's own reading of a family, cut to names, times and versions, is all of the answer. */
    public boolean isPlain() {
        return filter.isEmpty() && values == ValueMode.FULL && limit == NO_LIMIT && after.isEmpty();
    }

    /** The same of these columns alone. */
    public ColumnQuery of(NavigableSet<String> names) {
        return new ColumnQuery(groupId, familyId, Optional.of(names), times, maxVersions, filter, values, limit, after);
    }

    public ColumnQuery page(int cells, Optional<CellPlace> place) {
        return new ColumnQuery(groupId, familyId, qualifiers, times, maxVersions, filter, values, cells, place);
    }
}
