package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The plan of a read for one family: its selection, combined with the family's retention settings.
 *
 * @param qualifiers the selected columns in order; empty for all
 * @param versionsStored how many versions of a column are considered
 * @param versionsShown how many of the versions that pass the filter are returned
 * @param minVersions how many versions are kept even beyond the time to live
 * @param unexpiredFrom cells with older timestamps are expired
 * @param seesPastDeletes whether markers outside of the time range are ignored
 */
record FamilyPlan(
        Bytes name,
        List<Bytes> qualifiers,
        TimeRange times,
        int versionsStored,
        int versionsShown,
        int minVersions,
        long unexpiredFrom,
        boolean seesPastDeletes) {
    static List<FamilyPlan> of(CellTableSpec spec, Selection selection, long nowMillis) {
        for (Bytes family : selection.families().keySet()) {
            if (spec.family(family).isEmpty()) {
                throw new CellException(
                        CellError.NO_SUCH_FAMILY,
                        "The table has no such family",
                        Map.of("table", spec.name(), "family", family));
            }
        }
        List<FamilyPlan> plans = new ArrayList<>();
        for (FamilySpec family : spec.families()) {
            if (selection.wants(family.name())) {
                plans.add(of(family, selection, nowMillis));
            }
        }
        return plans;
    }

    private static FamilyPlan of(FamilySpec family, Selection selection, long nowMillis) {
        FamilySelection wanted = selection.of(family.name());
        if (selection.raw() && !wanted.qualifiers().isEmpty()) {
            throw new CellException(CellError.BAD_REQUEST, "A raw read cannot name columns");
        }
        int asked = wanted.maxVersions().orElse(selection.maxVersions());
        int shown = selection.raw() ? asked : Math.min(asked, family.maxVersions());
        int unfiltered = selection.raw() ? Integer.MAX_VALUE : family.maxVersions();
        return new FamilyPlan(
                family.name(),
                List.copyOf(wanted.qualifiers()),
                wanted.times().orElse(selection.times()),
                selection.filter().isPresent() ? unfiltered : shown,
                shown,
                family.minVersions(),
                selection.raw() ? Long.MIN_VALUE : unexpiredFrom(family, nowMillis),
                family.keepDeleted() != KeepDeleted.NEVER);
    }

    static long unexpiredFrom(FamilySpec family, long nowMillis) {
        return family.ttlMillis() == FamilySpec.FOREVER ? Long.MIN_VALUE : nowMillis - family.ttlMillis();
    }

    boolean isExplicit() {
        return !qualifiers.isEmpty();
    }

    boolean isExpired(long timestamp) {
        return timestamp < unexpiredFrom;
    }

    /** Whether a marker with this timestamp masks cells of this read. */
    boolean appliesMarker(long timestamp) {
        return timestamp >= times.min() && (!seesPastDeletes || times.isBeforeEnd(timestamp));
    }

    static boolean hasOutlived(Cell cell, long nowMillis) {
        return cell.ttlMillis() != Cell.NO_TTL && cell.timestamp() + cell.ttlMillis() < nowMillis;
    }
}
