package io.polytable.entity.request;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellTimes;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cells of an entity that a read requests. No column is requested twice, neither by itself nor with its family.
 */
public record DataRequest(SortedMap<ColumnName, ColumnRequest> columns, CellTimes times, Optional<String> consistency) {
    /** No cells: reads only find out which entities exist. */
    public static final DataRequest EMPTY =
            new DataRequest(Collections.emptySortedMap(), CellTimes.ALL, Optional.empty());

    private static final int COLUMNS_MAX = 10_000;

    public DataRequest {
        columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
        if (columns.size() > COLUMNS_MAX) {
            throw new EntityException(
                    EntityError.TOO_LARGE, "A request names too many columns", Map.of("columns", columns.size()));
        }
        for (ColumnName column : columns.keySet()) {
            if (!column.isFamily() && columns.containsKey(ColumnName.family(column.family()))) {
                throw new EntityException(
                        EntityError.BAD_REQUEST,
                        "A column is requested twice, by itself and with its family",
                        Map.of("column", column.toString()));
            }
        }
    }

    /** The newest versions of columns and whole families. */
    public static DataRequest of(String... columns) {
        DataRequest request = EMPTY;
        for (ColumnRequest column :
                Arrays.stream(columns).map(ColumnRequest::of).toList()) {
            request = request.with(column);
        }
        return request;
    }

    public static DataRequest of(ColumnRequest... columns) {
        DataRequest request = EMPTY;
        for (ColumnRequest column : columns) {
            request = request.with(column);
        }
        return request;
    }

    /** This request with the column's request added or replaced. */
    public DataRequest with(ColumnRequest column) {
        SortedMap<ColumnName, ColumnRequest> more = new TreeMap<>(columns);
        more.put(column.column(), column);
        return new DataRequest(more, times, consistency);
    }

    /** Only versions from {@code min} (inclusive) to {@code max} (exclusive). */
    public DataRequest between(long min, long max) {
        return new DataRequest(columns, new CellTimes(min, max), consistency);
    }

    /**
     * The consistency level of a store with replicas, such as {@code ONE} or {@code LOCAL_QUORUM}, instead of that of
     * the layout or the URI. Other stores ignore it.
     */
    public DataRequest at(String level) {
        return new DataRequest(columns, times, Optional.of(level));
    }

    /**
     * The union of two requests: the larger number of versions, the longer time range; otherwise this request's
     * settings.
     */
    public DataRequest merge(DataRequest other) {
        SortedMap<ColumnName, ColumnRequest> more = new TreeMap<>(columns);
        for (ColumnRequest theirs : other.columns.values()) {
            ColumnName family = ColumnName.family(theirs.column().family());
            if (!theirs.column().isFamily() && more.containsKey(family)) {
                more.computeIfPresent(family, (name, ours) -> wider(ours, theirs));
                continue;
            }
            if (theirs.column().isFamily()) {
                more.keySet().removeIf(ours -> !ours.isFamily() && ours.family().equals(family.family()));
            }
            more.merge(theirs.column(), theirs, DataRequest::wider);
        }
        CellTimes both =
                new CellTimes(Math.min(times.min(), other.times.min()), Math.max(times.max(), other.times.max()));
        return new DataRequest(
                more,
                columns.isEmpty() ? other.times : other.columns.isEmpty() ? times : both,
                consistency.or(other::consistency));
    }

    private static ColumnRequest wider(ColumnRequest ours, ColumnRequest theirs) {
        return ours.versions(Math.max(ours.maxVersions(), theirs.maxVersions()));
    }

    /** What the request says of the column, by itself or with its family. */
    public Optional<ColumnRequest> of(ColumnName column) {
        ColumnRequest own = columns.get(column);
        return Optional.ofNullable(own == null ? columns.get(ColumnName.family(column.family())) : own);
    }

    public boolean isPaged() {
        return columns.values().stream().anyMatch(ColumnRequest::isPaged);
    }
}
