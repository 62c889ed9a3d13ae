package io.polytable.hbase.convert;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Converts the selection of a Get or Scan. */
public final class Selections {
    private static final String RAW_ATTRIBUTE = "_raw_";

    private Selections() {}

    public static Selection of(ClientProtos.Get get, CellTableSpec table) throws IOException {
        Selection selection = new Selection(
                families(get.getColumnList(), get.getCfTimeRangeList(), table),
                get.hasTimeRange() ? HBaseTypes.times(get.getTimeRange()) : TimeRange.ALL,
                versions(get.getMaxVersions()),
                get.hasStoreLimit() ? familyLimit(get.getStoreLimit()) : Selection.NO_LIMIT,
                get.getStoreOffset(),
                Optional.empty(),
                false);
        return get.hasFilter() ? selection.withFilter(HBaseFilter.of(get.getFilter(), false)) : selection;
    }

    public static Selection of(ClientProtos.Scan scan, CellTableSpec table) throws IOException {
        Selection selection = new Selection(
                families(scan.getColumnList(), scan.getCfTimeRangeList(), table),
                scan.hasTimeRange() ? HBaseTypes.times(scan.getTimeRange()) : TimeRange.ALL,
                versions(scan.getMaxVersions()),
                scan.hasStoreLimit() ? familyLimit(scan.getStoreLimit()) : Selection.NO_LIMIT,
                scan.getStoreOffset(),
                Optional.empty(),
                isRaw(scan));
        return scan.hasFilter()
                ? selection.withFilter(HBaseFilter.of(scan.getFilter(), scan.getReversed()))
                : selection;
    }

    /** The row range of a scan in either direction: a reversed one starts at the range's end. */
    public static RowRange range(ClientProtos.Scan scan) {
        Bytes start = HBaseTypes.bytes(scan.getStartRow());
        Bytes stop = HBaseTypes.bytes(scan.getStopRow());
        boolean withStart = !scan.hasIncludeStartRow() || scan.getIncludeStartRow();
        // A Get sent as a scan has its row as start and stop; older clients do not mark the stop row as included.
        boolean withStop = scan.hasIncludeStopRow()
                ? scan.getIncludeStopRow()
                : !start.isEmpty() && start.equals(stop) && withStart;
        Bytes low = scan.getReversed() ? stop : start;
        Bytes high = scan.getReversed() ? start : stop;
        boolean withLow = scan.getReversed() ? withStop : withStart;
        boolean withHigh = scan.getReversed() ? withStart : withStop;
        return new RowRange(
                low.isEmpty() || withLow ? low : RowRange.after(low),
                high.isEmpty() || !withHigh ? high : RowRange.after(high));
    }

    private static int versions(int asked) {
        return Math.max(1, asked);
    }

    /** As in HBase, which checks the limit after it counts a cell: a family that has cells returns at least one. */
    private static int familyLimit(int asked) {
        return asked < 0 ? Selection.NO_LIMIT : Math.max(1, asked);
    }

    private static boolean isRaw(ClientProtos.Scan scan) {
        for (HBaseProtos.NameBytesPair attribute : scan.getAttributeList()) {
            if (attribute.getName().equals(RAW_ATTRIBUTE)) {
                ByteString value = attribute.getValue();
                return !value.isEmpty() && value.byteAt(0) != 0;
            }
        }
        return false;
    }

    private static NavigableMap<Bytes, FamilySelection> families(
            List<ClientProtos.Column> columns, List<HBaseProtos.ColumnFamilyTimeRange> times, CellTableSpec table) {
        NavigableMap<Bytes, FamilySelection> families = new TreeMap<>();
        for (ClientProtos.Column column : columns) {
            families.put(HBaseTypes.bytes(column.getFamily()), family(column));
        }
        if (columns.isEmpty() && !times.isEmpty()) {
            // A time range for a family does not select it: all families are read, this one with its range.
            table.families().forEach(family -> families.put(family.name(), FamilySelection.WHOLE));
        }
        for (HBaseProtos.ColumnFamilyTimeRange range : times) {
            families.computeIfPresent(
                    HBaseTypes.bytes(range.getColumnFamily()),
                    (family, selection) -> selection.withTimes(HBaseTypes.times(range.getTimeRange())));
        }
        return families;
    }

    private static FamilySelection family(ClientProtos.Column column) {
        if (column.getQualifierCount() == 0) {
            return FamilySelection.WHOLE;
        }
        TreeSet<Bytes> qualifiers = new TreeSet<>();
        column.getQualifierList().forEach(qualifier -> qualifiers.add(HBaseTypes.bytes(qualifier)));
        return FamilySelection.of(qualifiers);
    }
}
