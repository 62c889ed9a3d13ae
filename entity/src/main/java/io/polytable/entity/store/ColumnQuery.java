package io.polytable.entity.store;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.filter.Qualifiers;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A query of one family. No two queries of a read select the same column.
 *
 * @param qualifiers the stored qualifiers; empty for all, as for a map-type family
 * @param maxVersions the maximum number of versions of each column, after the filter
 * @param limit the maximum number of cells, {@link #NO_LIMIT} for all
 * @param after only cells after this position in the order of cells
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

    /** Whether the store can answer with a plain read of the family, restricted to names, times and versions. */
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
