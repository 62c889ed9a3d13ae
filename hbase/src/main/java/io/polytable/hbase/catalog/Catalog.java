package io.polytable.hbase.catalog;

import io.polytable.cells.RowRange;
import io.polytable.cells.store.CellRecords;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellTable;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * The tables, their states and regions, cached in memory. {@link TableChanges} reloads it from the cell store after
 * each change of a definition.
 */
public final class Catalog {
    private static final Bytes CLUSTER_ID = Bytes.utf8("hbase/cluster-id");
    private static final String STATE = "hbase/state/";
    private static final String STATE_TIME = "hbase/state-time/";
    private static final String COMPACTED = "hbase/major-compacted/";
    private static final Bytes DISABLED = Bytes.utf8("DISABLED");

    private final CellStore store;
    private final List<Consumer<Tables>> listeners = new CopyOnWriteArrayList<>();

    /**
     * Tables whose disable waits for running writes. They are stored as disabled: after a restart no write is running,
     * so the wait is over.
     */
    private final Set<TableName> disabling = ConcurrentHashMap.newKeySet();

    private volatile Tables tables = Tables.NONE;

    public Catalog(CellStore store) {
        this.store = store;
        refresh();
    }

    public Tables tables() {
        return tables;
    }

    CellStore store() {
        return store;
    }

    /** The id of this data, created once and then stored with it. */
    public String clusterId() {
        CellRecords records = store.records();
        Optional<Bytes> stored = records.get(CLUSTER_ID);
        if (stored.isPresent()) {
            return stored.get().utf8();
        }
        records.replace(
                CLUSTER_ID, Optional.empty(), Bytes.utf8(UUID.randomUUID().toString()));
        return records.get(CLUSTER_ID).orElseThrow().utf8();
    }

    public HBaseTable table(TableName name) throws TableNotFoundException {
        return tables.find(name).orElseThrow(() -> new TableNotFoundException(name.namespace() + ":" + name.name()));
    }

    /**
     * The region that a client addresses, if it is served: its table is enabled, and the region was not split or
     * merged meanwhile.
     */
    public Region region(RegionSpecifier specifier) throws IOException {
        Tables now = tables;
        return find(now, specifier)
                .filter(region -> isEnabled(now, region))
                .orElseThrow(() -> new NotServingRegionException(
                        Bytes.of(specifier.getValue().toByteArray()) + " is not online"));
    }

    /** The region of this name, served or not. */
    public Optional<Region> find(RegionSpecifier specifier) {
        return find(tables, specifier);
    }

    private static Optional<Region> find(Tables now, RegionSpecifier specifier) {
        Bytes name = Bytes.of(specifier.getValue().toByteArray());
        return specifier.getType() == RegionSpecifierType.REGION_NAME
                ? now.region(name)
                : now.regionOfEncodedName(name.utf8());
    }

    private static boolean isEnabled(Tables now, Region region) {
        return now.find(region.spec().name()).filter(HBaseTable::enabled).isPresent();
    }

    /** Whether the region is still served. */
    public boolean serves(Region region) {
        Tables now = tables;
        return now.region(Bytes.of(region.description().getRegionName()))
                        .filter(found -> found == region)
                        .isPresent()
                && isEnabled(now, region);
    }

    /** Calls the listener now and after every change of tables, states or regions. */
    public void onChange(Consumer<Tables> listener) {
        listeners.add(listener);
        listener.accept(tables);
    }

    /**
     * Stores a state, which takes effect with the next {@link #refresh}. An enable is one step, so no table is ever
     * ENABLING.
     */
    void setState(TableName name, TableState.State state, long millis) {
        store.records().put(stateTimeKey(name), Bytes.utf8(Long.toString(millis)));
        switch (state) {
            case ENABLED -> {
                store.records().remove(stateKey(name));
                disabling.remove(name);
            }
            case DISABLING -> {
                store.records().put(stateKey(name), DISABLED);
                disabling.add(name);
            }
            case DISABLED -> disabling.remove(name);
            case ENABLING -> throw new IllegalArgumentException("an enable is one step");
        }
    }

    private TableState.State state(TableName name) {
        if (store.records().get(stateKey(name)).isEmpty()) {
            return TableState.State.ENABLED;
        }
        return disabling.contains(name) ? TableState.State.DISABLING : TableState.State.DISABLED;
    }

    private static Bytes stateKey(TableName name) {
        return Bytes.utf8(STATE + name.namespace() + ":" + name.name());
    }

    private static Bytes stateTimeKey(TableName name) {
        return Bytes.utf8(STATE_TIME + name.namespace() + ":" + name.name());
    }

    /** Removes the records of a table that was dropped. */
    void forget(TableName name) {
        store.records().remove(stateKey(name));
        store.records().remove(stateTimeKey(name));
        disabling.remove(name);
        forgetMajorCompaction(name);
    }

    /** When the last major compaction of the table ended; 0 if there was none. */
    public long majorCompactedMillis(TableName name) {
        return millis(compactedKey(name));
    }

    void setMajorCompacted(TableName name, long millis) {
        store.records().put(compactedKey(name), Bytes.utf8(Long.toString(millis)));
    }

    void forgetMajorCompaction(TableName name) {
        store.records().remove(compactedKey(name));
    }

    private static Bytes compactedKey(TableName name) {
        return Bytes.utf8(COMPACTED + name.namespace() + ":" + name.name());
    }

    private long millis(Bytes key) {
        return store.records()
                .get(key)
                .map(stored -> Long.parseLong(stored.utf8()))
                .orElse(0L);
    }

    /** Reloads all definitions. */
    synchronized void refresh() {
        List<HBaseTable> all = new ArrayList<>();
        for (CellTable cells : store.tables()) {
            all.add(table(cells));
        }
        Tables now = Tables.of(all);
        Tables before = tables;
        tables = now;
        Set<Region> served = new HashSet<>();
        all.stream().filter(HBaseTable::enabled).forEach(table -> served.addAll(table.regions()));
        served.forEach(Region::open);
        before.all()
                .forEach(table -> table.regions().stream()
                        .filter(region -> !served.contains(region))
                        .forEach(Region::close));
        listeners.forEach(listener -> listener.accept(now));
    }

    private HBaseTable table(CellTable cells) {
        TableName name = cells.name();
        AtomicInteger writesUnderWay =
                tables.find(name).map(HBaseTable::writesUnderWay).orElseGet(AtomicInteger::new);
        List<Region> regions = regions(cells, writesUnderWay);
        return new HBaseTable(
                name,
                cells,
                Descriptors.descriptor(cells.spec()),
                state(name),
                millis(stateTimeKey(name)),
                regions,
                writesUnderWay);
    }

    /** Unchanged regions keep their objects, and with them their counters. */
    private List<Region> regions(CellTable cells, AtomicInteger writesUnderWay) {
        List<RegionInfo> descriptions = RegionIds.regions(cells.spec());
        List<RowRange> ranges = cells.spec().partitions();
        List<Region> regions = new ArrayList<>(descriptions.size());
        for (int i = 0; i < descriptions.size(); i++) {
            RegionInfo description = descriptions.get(i);
            RowRange range = ranges.get(i);
            regions.add(tables.region(Bytes.of(description.getRegionName()))
                    .orElseGet(() -> new Region(description, range, cells, writesUnderWay)));
        }
        return regions;
    }
}
