package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.Tables;
import io.polytable.table.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.RegionState;

/**
 * Builds the rows of {@code hbase:meta}: one for each region, keyed by its name, and one for each table, with its
 * state.
 */
final class MetaRows {
    /** Not byte order: table name, start key and region id are compared one by one. */
    static final Comparator<Bytes> ORDER =
            (a, b) -> MetaCellComparator.META_COMPARATOR.compareRows(a.toByteArray(), b.toByteArray());

    static final Bytes INFO = Bytes.of(HConstants.CATALOG_FAMILY);
    static final Bytes TABLE = Bytes.of(HConstants.TABLE_FAMILY);

    private static final Bytes REGION_INFO = Bytes.of(HConstants.REGIONINFO_QUALIFIER);
    private static final Bytes SEQUENCE = Bytes.utf8("seqnumDuringOpen");
    private static final Bytes SERVER = Bytes.of(HConstants.SERVER_QUALIFIER);
    private static final Bytes START_CODE = Bytes.of(HConstants.STARTCODE_QUALIFIER);
    private static final Bytes SERVER_NAME = Bytes.utf8("sn");
    private static final Bytes REGION_STATE = Bytes.of(HConstants.STATE_QUALIFIER);
    private static final Bytes TABLE_STATE = Bytes.of(HConstants.TABLE_STATE_QUALIFIER);

    private final ServerAddress address;
    private final long startMillis;

    private MetaRows(ServerAddress address) {
        this.address = address;
        startMillis = address.regionServer().getStartCode();
    }

    static NavigableMap<Bytes, List<Cell>> of(Tables tables, ServerAddress address) {
        MetaRows rows = new MetaRows(address);
        NavigableMap<Bytes, List<Cell>> all = new TreeMap<>(ORDER);
        Bytes namespaces = Bytes.of(NamespaceTable.REGION.getTable().getName());
        all.put(
                namespaces,
                List.of(state(
                        namespaces, NamespaceTable.REGION.getTable(), TableState.State.ENABLED, rows.startMillis)));
        Bytes namespacesRegion = Bytes.of(NamespaceTable.REGION.getRegionName());
        all.put(namespacesRegion, rows.region(namespacesRegion, NamespaceTable.REGION, RegionState.State.OPEN, 0));
        for (HBaseTable table : tables.all()) {
            Bytes row = Bytes.of(table.hbaseName().getName());
            all.put(row, List.of(state(row, table.hbaseName(), table.state(), rows.stateMillis(table))));
            for (Region region : table.regions()) {
                Bytes name = Bytes.of(region.description().getRegionName());
                all.put(name, rows.region(name, region.description(), regionState(table.state()), table.stateMillis()));
            }
        }
        return all;
    }

    private static Cell state(Bytes row, TableName table, TableState.State state, long timestamp) {
        byte[] message = new TableState(table, state).convert().toByteArray();
        return cell(row, TABLE, TABLE_STATE, timestamp, message);
    }

    private static RegionState.State regionState(TableState.State state) {
        return switch (state) {
            case ENABLED -> RegionState.State.OPEN;
            case DISABLING -> RegionState.State.CLOSING;
            case DISABLED -> RegionState.State.CLOSED;
            case ENABLING -> RegionState.State.OPENING;
        };
    }

    /** The cells of a region, ordered by qualifier. */
    private List<Cell> region(Bytes row, RegionInfo region, RegionState.State state, long stateMillis) {
        long started = openedMillis(region);
        long opened = state == RegionState.State.OPEN ? Math.max(started, stateMillis) : started;
        return List.of(
                cell(row, INFO, REGION_INFO, opened, RegionInfo.toByteArray(region)),
                cell(row, INFO, SEQUENCE, opened, longBytes(1)),
                cell(
                        row,
                        INFO,
                        SERVER,
                        opened,
                        utf8(address.regionServer().getAddress().toString())),
                cell(
                        row,
                        INFO,
                        START_CODE,
                        opened,
                        longBytes(address.regionServer().getStartCode())),
                cell(row, INFO, SERVER_NAME, opened, utf8(address.regionServer().getServerName())),
                cell(row, INFO, REGION_STATE, Math.max(started, stateMillis), utf8(state.name())));
    }

    private long stateMillis(HBaseTable table) {
        return table.stateMillis() > 0
                ? table.stateMillis()
                : openedMillis(table.regions().get(0).description());
    }

    /** When this server opened the region: when it started, or when the region came to be, which its id says. */
    private long openedMillis(RegionInfo region) {
        return Math.max(startMillis, region.getRegionId());
    }

    private static Cell cell(Bytes row, Bytes family, Bytes qualifier, long timestamp, byte[] value) {
        return new Cell(row, family, qualifier, timestamp, CellKind.PUT, Bytes.of(value));
    }

    private static byte[] longBytes(long value) {
        return org.apache.hadoop.hbase.util.Bytes.toBytes(value);
    }

    private static byte[] utf8(String text) {
        return org.apache.hadoop.hbase.util.Bytes.toBytes(text);
    }
}
