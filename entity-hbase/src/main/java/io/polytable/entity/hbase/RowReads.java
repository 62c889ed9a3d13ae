package io.polytable.entity.hbase;

import io.polytable.entity.store.CellPlace;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnCut;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.ValueMode;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * Translates queries into one get, or one scan step per row, and cuts the result to exactly the requested cells. A
 * query with a limit is best read separately: HBase's limits count the cells of a column family, whatever their query.
 */
final class RowReads {
    /** Up to so many columns are requested by name; beyond that the server filters the group. */
    private static final int NAMED_COLUMNS_MAX = 200;

    /** The timestamp of a position after all versions of its column. */
    static final long BEHIND_COLUMN = Long.MIN_VALUE;

    private final List<ColumnQuery> queries;
    private final Optional<ValueMode> pushedMode;

    RowReads(List<ColumnQuery> queries) {
        this.queries = queries;
        List<ValueMode> modes =
                queries.stream().map(ColumnQuery::values).distinct().toList();
        pushedMode = modes.size() == 1 && modes.get(0) != ValueMode.FULL ? Optional.of(modes.get(0)) : Optional.empty();
    }

    /** The reads of a query: parts with limits separately, the rest together. */
    static List<RowReads> of(RowQuery query) {
        List<RowReads> reads = new ArrayList<>();
        List<ColumnQuery> together = new ArrayList<>();
        for (ColumnQuery column : query.columns()) {
            if (column.limit() == ColumnQuery.NO_LIMIT && column.after().isEmpty()) {
                together.add(column);
            } else {
                reads.addAll(paged(column));
            }
        }
        if (!together.isEmpty()) {
            reads.add(0, new RowReads(together));
        }
        return reads;
    }

    /**
     * Reads a page without reading columns before the last page's end again. If all versions count, those of the column
     * in which the last page ended are read separately: a page of a column with many versions does not read all newer
     * ones.
     */
    private static List<RowReads> paged(ColumnQuery query) {
        if (query.after().isEmpty()) {
            return List.of(new RowReads(List.of(query)));
        }
        CellPlace place = query.after().get();
        if (query.maxVersions() != Integer.MAX_VALUE) {
            ColumnQuery fromHere =
                    narrowed(query, query.times(), query.after(), names -> names.tailSet(place.qualifier(), true));
            return List.of(new RowReads(List.of(fromHere)));
        }
        long end = Math.min(query.times().max(), place.timestamp());
        CellTimes older = new CellTimes(Math.min(query.times().min(), end), end);
        boolean wantsThis =
                query.qualifiers().isEmpty() || query.qualifiers().get().contains(place.qualifier());
        NavigableSet<String> thisOne = new TreeSet<>(wantsThis ? List.of(place.qualifier()) : List.of());
        ColumnQuery rest = new ColumnQuery(
                query.groupId(),
                query.familyId(),
                Optional.of(thisOne),
                older,
                query.maxVersions(),
                query.filter(),
                query.values(),
                query.limit(),
                Optional.empty());
        Optional<CellPlace> behindColumn = Optional.of(new CellPlace(place.qualifier(), BEHIND_COLUMN));
        ColumnQuery others =
                narrowed(query, query.times(), behindColumn, names -> names.tailSet(place.qualifier(), false));
        return List.of(new RowReads(List.of(rest)), new RowReads(List.of(others)));
    }

    private static ColumnQuery narrowed(
            ColumnQuery query,
            CellTimes times,
            Optional<CellPlace> after,
            UnaryOperator<NavigableSet<String>> narrower) {
        return new ColumnQuery(
                query.groupId(),
                query.familyId(),
                query.qualifiers().map(narrower),
                times,
                query.maxVersions(),
                query.filter(),
                query.values(),
                query.limit(),
                after);
    }

    /** The get of a row; empty if no column can match. */
    Optional<Get> get(Bytes rowKey) {
        Get get = new Get(rowKey.toByteArray());
        Map<String, List<ColumnQuery>> byGroup = new LinkedHashMap<>();
        queries.forEach(query -> byGroup.computeIfAbsent(query.groupId(), id -> new ArrayList<>())
                .add(query));
        boolean needsFilter = false;
        boolean wantsSome = false;
        for (Map.Entry<String, List<ColumnQuery>> group : byGroup.entrySet()) {
            if (isNamed(group.getValue())) {
                wantsSome |= addColumns(get, group.getValue());
            } else {
                get.addFamily(Names.family(group.getKey()));
                wantsSome = true;
                needsFilter = true;
            }
        }
        if (!wantsSome) {
            return Optional.empty();
        }
        Optional<Filter> filter = needsFilter ? Optional.of(filter(byGroup)) : Optional.empty();
        withValueMode(filter).ifPresent(get::setFilter);
        return Optional.of(bounded(get));
    }

    private static boolean isNamed(List<ColumnQuery> ofGroup) {
        int columns = 0;
        for (ColumnQuery query : ofGroup) {
            if (query.qualifiers().isEmpty()) {
                return false;
            }
            columns += query.qualifiers().get().size();
        }
        return columns <= NAMED_COLUMNS_MAX;
    }

    private static boolean addColumns(Get get, List<ColumnQuery> ofGroup) {
        boolean added = false;
        for (ColumnQuery query : ofGroup) {
            for (String name : query.qualifiers().orElseThrow()) {
                get.addColumn(Names.family(query.groupId()), Names.qualifier(query.familyId(), name));
                added = true;
            }
        }
        return added;
    }

    private Filter filter(Map<String, List<ColumnQuery>> byGroup) {
        if (queries.size() == 1) {
            return PushedFilters.seeking(queries.get(0));
        }
        List<Filter> any = new ArrayList<>();
        for (Map.Entry<String, List<ColumnQuery>> group : byGroup.entrySet()) {
            List<Filter> ofGroup = new ArrayList<>();
            if (!isNamed(group.getValue())) {
                group.getValue().forEach(query -> ofGroup.add(PushedFilters.deciding(query)));
            }
            if (byGroup.size() == 1) {
                return new FilterList(FilterList.Operator.MUST_PASS_ONE, ofGroup);
            }
            Filter here = new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(Names.family(group.getKey())));
            any.add(
                    ofGroup.isEmpty()
                            ? here
                            : new FilterList(
                                    FilterList.Operator.MUST_PASS_ALL,
                                    here,
                                    new FilterList(FilterList.Operator.MUST_PASS_ONE, ofGroup)));
        }
        return new FilterList(FilterList.Operator.MUST_PASS_ONE, any);
    }

    private Optional<Filter> withValueMode(Optional<Filter> filter) {
        if (pushedMode.isEmpty()) {
            return filter;
        }
        Filter keysOnly = new KeyOnlyFilter(pushedMode.get() == ValueMode.SIZE);
        return Optional.of(
                filter.isEmpty()
                        ? keysOnly
                        : new FilterList(FilterList.Operator.MUST_PASS_ALL, filter.get(), keysOnly));
    }

    private Get bounded(Get get) {
        long min = Long.MAX_VALUE;
        long max = 0;
        int versions = 1;
        for (ColumnQuery query : queries) {
            min = Math.min(min, query.times().min());
            max = Math.max(max, query.times().max());
            versions = Math.max(versions, query.maxVersions());
        }
        try {
            get.setTimeRange(min, max).readVersions(versions);
        } catch (IOException e) {
            throw new IllegalStateException("Versions and times are checked before", e);
        }
        // If the server returns more than requested, its limit could be reached before the first requested cell.
        if (queries.size() == 1
                && queries.get(0).limit() != ColumnQuery.NO_LIMIT
                && queries.get(0).filter().map(PushedFilters::isExact).orElse(true)) {
            get.setMaxResultsPerColumnFamily(limit(queries.get(0)));
        }
        return get;
    }

    /**
     * The number of cells to fetch so that the requested ones are included: all versions of the column in which a page
     * ended.
     */
    private static int limit(ColumnQuery query) {
        boolean isWithin =
                query.after().map(place -> place.timestamp() != BEHIND_COLUMN).orElse(false);
        long more = isWithin ? query.maxVersions() : 0;
        return (int) Math.min(query.limit() + more, Integer.MAX_VALUE);
    }

    /** The requested cells of a result, in order for each query. */
    List<StoredCell> cells(Result result) {
        Map<String, List<Cell>> byFamily = new LinkedHashMap<>();
        Cell[] all = result.rawCells();
        if (all == null) {
            return List.of();
        }
        for (Cell cell : all) {
            String group = text(CellUtil.cloneFamily(cell));
            String name = text(CellUtil.cloneQualifier(cell));
            int start = Names.qualifierStart(name);
            if (start > 0) {
                byFamily.computeIfAbsent(group + "/" + name.substring(0, start - 1), key -> new ArrayList<>())
                        .add(cell);
            }
        }
        List<StoredCell> wanted = new ArrayList<>();
        for (ColumnQuery query : queries) {
            ColumnCut cut = new ColumnCut(query);
            for (Cell cell : byFamily.getOrDefault(query.groupId() + "/" + query.familyId(), List.of())) {
                String qualifier = qualifier(cell);
                if (cut.next(qualifier, cell.getTimestamp()) == ColumnCut.Verdict.TAKE) {
                    wanted.add(new StoredCell(
                            query.familyId(), qualifier, cell.getTimestamp(), shown(cut, CellUtil.cloneValue(cell))));
                }
            }
        }
        return wanted;
    }

    private Bytes shown(ColumnCut cut, byte[] value) {
        if (pushedMode.isEmpty()) {
            return cut.shown(Bytes.of(value));
        }
        if (pushedMode.get() == ValueMode.NONE) {
            return Bytes.EMPTY;
        }
        // The server has replaced the value by its length, as an int.
        return new BytesWriter(Long.BYTES)
                .i64(org.apache.hadoop.hbase.util.Bytes.toInt(value))
                .toBytes();
    }

    private static String text(byte[] bytes) {
        return Bytes.of(bytes).utf8();
    }

    static String qualifier(Cell cell) {
        String name = text(CellUtil.cloneQualifier(cell));
        return name.substring(Names.qualifierStart(name));
    }
}
