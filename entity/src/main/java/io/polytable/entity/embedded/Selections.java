package io.polytable.entity.embedded;

import io.polytable.cells.TimeRange;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.RowQuery;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Translates queries into cell selections: as narrow as a selection can be, with a filter for the rest. */
public final class Selections {
    private Selections() {}

    public static Selection of(RowQuery query) {
        Map<String, List<ColumnQuery>> byFamily = new LinkedHashMap<>();
        query.columns()
                .forEach(column -> byFamily.computeIfAbsent(column.familyId(), id -> new ArrayList<>())
                        .add(column));
        Selection selection = Selection.ALL;
        boolean isPlain = true;
        for (Map.Entry<String, List<ColumnQuery>> family : byFamily.entrySet()) {
            List<ColumnQuery> queries = family.getValue();
            selection = selection.with(Bytes.utf8(family.getKey()), family(queries));
            isPlain &= queries.get(0).isPlain() && queries.size() == 1;
        }
        return isPlain ? selection : selection.withFilter(new QueryFilter(byFamily));
    }

    private static FamilySelection family(List<ColumnQuery> queries) {
        NavigableSet<Bytes> names = new TreeSet<>();
        boolean all = false;
        long min = Long.MAX_VALUE;
        long max = 0;
        int versions = 1;
        for (ColumnQuery query : queries) {
            all |= query.qualifiers().isEmpty();
            query.qualifiers().ifPresent(qualifiers -> qualifiers.forEach(name -> names.add(Bytes.utf8(name))));
            min = Math.min(min, query.times().min());
            max = Math.max(max, query.times().max());
            versions = Math.max(versions, query.maxVersions());
        }
        if (!all && names.isEmpty()) {
            // Selects a family without columns: names have no zero byte, so no stored qualifier equals this one.
            names.add(Bytes.of(new byte[] {0}));
        }
        return FamilySelection.of(all ? List.of() : names)
                .withTimes(new TimeRange(min, max))
                .withMaxVersions(versions);
    }
}
