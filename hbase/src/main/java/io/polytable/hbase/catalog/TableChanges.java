package io.polytable.hbase.catalog;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.SavedTable;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;

/** Changes tables, their states and their regions, one change at a time. */
public final class TableChanges {
    private static final Duration WRITES_WAIT_MAX = Duration.ofSeconds(30);
    private static final long WRITES_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Tables that show the server's own state. */
    private static final Set<TableName> SERVED_BY_THE_SERVER =
            Set.of(new TableName("hbase", "meta"), new TableName("hbase", "namespace"));

    private final Catalog catalog;
    private final Namespaces namespaces;
    private final InstantSource clock;
    private final Duration writesWaitMax;
    private final Runnable pause;
    private long lastId;

    public TableChanges(Catalog catalog, Namespaces namespaces, InstantSource clock) {
        this(catalog, namespaces, clock, WRITES_WAIT_MAX, () -> LockSupport.parkNanos(WRITES_LOOK_NANOS));
    }

    /** @param pause what a disable does between two looks at the running writes */
    TableChanges(Catalog catalog, Namespaces namespaces, InstantSource clock, Duration writesWaitMax, Runnable pause) {
        this.catalog = catalog;
        this.namespaces = namespaces;
        this.clock = clock;
        this.writesWaitMax = writesWaitMax;
        this.pause = pause;
    }

    private CellStore store() {
        return catalog.store();
    }

    /** Region ids are timestamps, as in HBase, and unique. */
    private synchronized long nextId() {
        lastId = Math.max(lastId + 1, clock.millis());
        return lastId;
    }

    public synchronized void create(TableDescriptor descriptor, List<Bytes> splits) throws IOException {
        TableName name = HBaseTypes.name(descriptor.getTableName());
        namespaces.get(name.namespace());
        requireAbsent(name);
        DescriptorChecks.check(descriptor);
        List<Bytes> sorted = List.copyOf(new TreeSet<>(splits));
        catalog.setState(name, TableState.State.ENABLED, clock.millis());
        store().create(RegionIds.numbered(Descriptors.spec(descriptor), sorted, nextId()));
        catalog.refresh();
    }

    /** Others of the namespace hbase are tables like any: HBase's canary makes one. */
    private static void requireUserTable(TableName name) throws IOException {
        if (SERVED_BY_THE_SERVER.contains(name)) {
            throw new DoNotRetryIOException("The table " + HBaseTypes.hbaseName(name) + " cannot be changed");
        }
    }

    private void requireAbsent(TableName name) throws IOException {
        if (catalog.tables().find(name).isPresent() || SERVED_BY_THE_SERVER.contains(name)) {
            throw new TableExistsException(HBaseTypes.hbaseName(name));
        }
    }

    /** Alters the table to match the descriptor; its regions stay. */
    public synchronized void modify(TableDescriptor descriptor) throws IOException {
        DescriptorChecks.check(descriptor);
        HBaseTable table = catalog.table(HBaseTypes.name(descriptor.getTableName()));
        CellTableSpec before = table.cells().spec();
        CellTableSpec after = Descriptors.spec(descriptor);
        Map<Bytes, Bytes> attributes = new TreeMap<>(after.attributes());
        before.attributes().forEach((key, value) -> {
            if (key.startsWith(Descriptors.HIDDEN)) {
                attributes.put(key, value);
            }
        });
        alter(after.withAttributes(attributes).withSplits(before.splits()));
    }

    private void alter(CellTableSpec spec) {
        store().alter(spec);
        catalog.refresh();
    }

    public synchronized void addFamily(TableName name, ColumnFamilyDescriptor family) throws IOException {
        CellTableSpec spec = catalog.table(name).cells().spec();
        if (spec.family(Bytes.of(family.getName())).isPresent()) {
            throw new InvalidFamilyOperationException("Column family '" + family.getNameAsString() + "' in table '"
                    + HBaseTypes.hbaseName(name) + "' already exists so cannot be added");
        }
        DescriptorChecks.check(TableDescriptorBuilder.newBuilder(Descriptors.descriptor(spec))
                .setColumnFamily(family)
                .build());
        List<FamilySpec> families = new ArrayList<>(spec.families());
        families.add(Descriptors.spec(family));
        alter(spec.withFamilies(families));
    }

    public synchronized void modifyFamily(TableName name, ColumnFamilyDescriptor family) throws IOException {
        CellTableSpec spec = catalog.table(name).cells().spec();
        if (spec.family(Bytes.of(family.getName())).isPresent()) {
            DescriptorChecks.check(TableDescriptorBuilder.newBuilder(Descriptors.descriptor(spec))
                    .modifyColumnFamily(family)
                    .build());
        }
        FamilySpec changed = Descriptors.spec(family);
        changeFamily(name, changed.name(), families -> {
            families.add(changed);
            return families;
        });
    }

    public synchronized void deleteFamily(TableName name, Bytes family) throws IOException {
        if (catalog.table(name).cells().spec().families().size() == 1) {
            throw new InvalidFamilyOperationException(
                    "Family '" + family.utf8() + "' is the only column family in the table, so it cannot be deleted");
        }
        changeFamily(name, family, families -> families);
    }

    private void changeFamily(TableName name, Bytes family, Function<List<FamilySpec>, List<FamilySpec>> change)
            throws IOException {
        CellTableSpec spec = catalog.table(name).cells().spec();
        if (spec.family(family).isEmpty()) {
            throw new InvalidFamilyOperationException("Family '" + family.utf8() + "' does not exist");
        }
        List<FamilySpec> others = new ArrayList<>(spec.families());
        others.removeIf(other -> other.name().equals(family));
        alter(spec.withFamilies(change.apply(others)));
    }

    public synchronized void enable(TableName name) throws IOException {
        requireDisabled(name);
        show(name, TableState.State.ENABLED);
    }

    /**
     * Disables a table after its running writes are done: a restore or copy after this has everything that was
     * acknowledged, and no late write follows. A disable that fails leaves the table enabled, since a disabled table
     * would refuse the retry.
     */
    public synchronized void disable(TableName name) throws IOException {
        requireUserTable(name);
        if (!catalog.table(name).enabled()) {
            throw new TableNotEnabledException(HBaseTypes.hbaseName(name));
        }
        show(name, TableState.State.DISABLING);
        if (!awaitWrites(catalog.table(name))) {
            show(name, TableState.State.ENABLED);
            throw new IOException("Changes of " + HBaseTypes.hbaseName(name)
                    + " are still in progress, so it stays enabled; try again later");
        }
        show(name, TableState.State.DISABLED);
    }

    private void show(TableName name, TableState.State state) {
        catalog.setState(name, state, clock.millis());
        catalog.refresh();
    }

    /** Waits for running writes; false on timeout. */
    private boolean awaitWrites(HBaseTable table) {
        long deadline = System.nanoTime() + writesWaitMax.toNanos();
        while (table.writesUnderWay().get() > 0) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            pause.run();
        }
        return true;
    }

    private void requireDisabled(TableName name) throws IOException {
        requireUserTable(name);
        if (catalog.table(name).enabled()) {
            throw new TableNotDisabledException(HBaseTypes.hbaseName(name));
        }
    }

    public synchronized void drop(TableName name) throws IOException {
        requireDisabled(name);
        store().drop(name);
        catalog.forget(name);
        catalog.refresh();
    }

    /** Truncates a disabled table and, as in HBase, enables it. */
    public synchronized void truncate(TableName name, boolean keepsSplits) throws IOException {
        requireDisabled(name);
        CellTableSpec spec = store().truncate(name).spec();
        store().alter(RegionIds.numbered(spec, keepsSplits ? spec.splits() : List.of(), nextId()));
        catalog.setState(name, TableState.State.ENABLED, clock.millis());
        catalog.forgetMajorCompaction(name);
        catalog.refresh();
    }

    /** Removes all rows of the region. */
    public synchronized void truncate(Region region) throws IOException {
        CellTableSpec spec = servedSpec(region);
        long written = region.writtenBytes();
        store().truncate(spec.name(), region.range());
        region.measured(0, written);
    }

    /** Splits the region at the row. */
    public synchronized void split(Region region, Bytes at) throws IOException {
        if (at.equals(region.range().from())) {
            throw new DoNotRetryIOException("Split row is equal to startkey: " + at);
        }
        if (!region.range().contains(at)) {
            throw new DoNotRetryIOException(
                    "Split row is not inside region key range splitKey:" + at + " region: " + region.description());
        }
        CellTableSpec spec = servedSpec(region);
        int index = indexOf(spec, region);
        List<Bytes> splits = new ArrayList<>(spec.splits());
        splits.add(index, at);
        List<Long> ids = new ArrayList<>(RegionIds.of(spec));
        long id = nextId();
        ids.set(index, id);
        ids.add(index + 1, id);
        long bytes = region.estimatedBytes();
        List<Region> halves = alterRegions(RegionIds.with(spec.withSplits(splits), ids), index, 2);
        halves.forEach(half -> half.measured(bytes / 2, 0));
    }

    /** Merges adjacent regions. */
    public synchronized void merge(List<Region> regions) throws IOException {
        int unique = Set.copyOf(regions).size();
        if (unique != regions.size()) {
            throw new MergeRegionException("Duplicate regions specified; cannot merge a region to itself. Passed in "
                    + regions.size() + " but only " + unique + " unique.");
        }
        if (regions.size() < 2) {
            throw new MergeRegionException("Need two Regions at least to run a Merge");
        }
        CellTableSpec spec = servedSpec(regions.get(0));
        TreeMap<Integer, Region> places = new TreeMap<>();
        for (Region region : regions) {
            servedSpec(region);
            if (!region.spec().name().equals(spec.name())) {
                throw new MergeRegionException("Can't merge regions from different tables: "
                        + regions.get(0).description() + ", " + region.description());
            }
            places.put(indexOf(spec, region), region);
        }
        requireNeighbours(places);
        List<Bytes> splits = new ArrayList<>(spec.splits());
        splits.subList(places.firstKey(), places.lastKey()).clear();
        List<Long> ids = new ArrayList<>(RegionIds.of(spec));
        ids.subList(places.firstKey(), places.lastKey()).clear();
        ids.set(places.firstKey(), nextId());
        long bytes = regions.stream().mapToLong(Region::estimatedBytes).sum();
        List<Region> merged = alterRegions(RegionIds.with(spec.withSplits(splits), ids), places.firstKey(), 1);
        merged.forEach(region -> region.measured(bytes, 0));
    }

    private static void requireNeighbours(NavigableMap<Integer, Region> places) throws MergeRegionException {
        Map.Entry<Integer, Region> before = places.firstEntry();
        for (Map.Entry<Integer, Region> place :
                places.tailMap(before.getKey(), false).entrySet()) {
            if (place.getKey() != before.getKey() + 1) {
                throw new MergeRegionException("Unable to merge non-adjacent or non-overlapping regions '"
                        + before.getValue().description().getShortNameToLog() + "', '"
                        + place.getValue().description().getShortNameToLog() + "' when force=false");
            }
            before = place;
        }
    }

    /** Returns the new regions, {@code count} of them from the index on. */
    private List<Region> alterRegions(CellTableSpec spec, int index, int count) throws IOException {
        alter(spec);
        return catalog.table(spec.name()).regions().subList(index, index + count);
    }

    private CellTableSpec servedSpec(Region region) throws IOException {
        if (!catalog.serves(region)) {
            throw new DoNotRetryRegionException(region.description().getRegionNameAsString() + " is not online");
        }
        requireUserTable(region.spec().name());
        return region.spec();
    }

    private static int indexOf(CellTableSpec spec, Region region) {
        return spec.partitions().indexOf(region.range());
    }

    /** Takes a snapshot of a table. */
    public synchronized void save(TableName name, String savedName) throws IOException {
        if (catalog.tables().find(name).isEmpty()) {
            throw new SnapshotCreationException(
                    "Table '" + name.namespace() + ":" + name.name() + "' doesn't exist, can't take snapshot.");
        }
        if (saved().stream().anyMatch(saved -> saved.name().equals(savedName))) {
            throw new SnapshotExistsException("Snapshot '" + savedName + "' already stored on the filesystem.");
        }
        store().save(name, savedName);
    }

    /** The table of a snapshot, empty if there is no such snapshot. */
    public Optional<TableName> savedTable(String savedName) {
        return saved().stream()
                .filter(saved -> saved.name().equals(savedName))
                .map(saved -> saved.spec().name())
                .findFirst();
    }

    public List<SavedTable> saved() {
        return store().saved();
    }

    public synchronized void forget(String savedName) {
        store().forget(savedName);
    }

    /** Restores a snapshot into a disabled table, which stays disabled, or into a new one; whether it is new. */
    public synchronized boolean restoreOrClone(String savedName, TableName name) throws IOException {
        requireUserTable(name);
        boolean isNew = catalog.tables().find(name).isEmpty();
        if (!isNew) {
            requireDisabled(name);
        } else {
            namespaces.get(name.namespace());
            // A server that crashed while it dropped a table of this name may have left its state behind.
            catalog.setState(name, TableState.State.ENABLED, clock.millis());
        }
        restoreAs(savedName, name);
        return isNew;
    }

    /**
     * Compacts a table; also removes delete markers if {@code markers} is set. Not synchronized, so that tables can
     * change meanwhile.
     */
    public void compact(TableName name, boolean markers) {
        store().compact(name, markers);
    }

    /** Remembers that a major compaction of the table has ended. */
    public void majorCompacted(TableName name) {
        catalog.setMajorCompacted(name, clock.millis());
    }

    private void restoreAs(String saved, TableName name) {
        CellTableSpec spec = store().restore(saved, name).spec();
        store().alter(RegionIds.numbered(spec, spec.splits(), nextId()));
        catalog.refresh();
    }
}
