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
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;

/** Changes tables, their states and their regions, one change at a time. */
public final class TableChanges {
    private static final Duration WRITES_WAIT_MAX = Duration.ofSeconds(30);
    private static final long WRITES_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

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
        requireUserTable(name);
        requireAbsent(name);
        requireSupported(descriptor);
        List<Bytes> sorted = List.copyOf(new TreeSet<>(splits));
        catalog.setState(name, TableState.State.ENABLED);
        store().create(RegionIds.numbered(Descriptors.spec(descriptor), sorted, nextId()));
        catalog.refresh();
    }

    private static void requireUserTable(TableName name) throws IOException {
        if (name.namespace().equals("hbase")) {
            throw new DoNotRetryIOException("Tables of the namespace hbase are the server's own");
        }
    }

    private void requireAbsent(TableName name) throws IOException {
        if (catalog.tables().find(name).isPresent()) {
            throw new TableExistsException(HBaseTypes.hbaseName(name));
        }
    }

    private static void requireSupported(TableDescriptor descriptor) throws IOException {
        if (!descriptor.getCoprocessorDescriptors().isEmpty()) {
            throw new DoNotRetryIOException("Coprocessors are not supported: "
                    + descriptor.getCoprocessorDescriptors().iterator().next().getClassName());
        }
        if (descriptor.getColumnFamilyCount() == 0) {
            throw new DoNotRetryIOException("Table should have at least one column family");
        }
        requireNumber(descriptor, TableDescriptorBuilder.MAX_FILESIZE);
        requireNumber(descriptor, TableDescriptorBuilder.MEMSTORE_FLUSHSIZE);
    }

    private static void requireNumber(TableDescriptor descriptor, String key) throws IOException {
        String value = descriptor.getValue(key);
        try {
            if (value != null) {
                Long.parseLong(value);
            }
        } catch (NumberFormatException wrong) {
            throw new DoNotRetryIOException(key + " is not a number. " + wrong.getMessage(), wrong);
        }
    }

    /** Alters the table to match the descriptor; its regions stay. */
    public synchronized void modify(TableDescriptor descriptor) throws IOException {
        requireSupported(descriptor);
        HBaseTable table = catalog.table(HBaseTypes.name(descriptor.getTableName()));
        CellTableSpec before = table.cells().spec();
        CellTableSpec after = Descriptors.spec(descriptor).withLayout(before.layout());
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
        List<FamilySpec> families = new ArrayList<>(spec.families());
        families.add(Descriptors.spec(family));
        alter(spec.withFamilies(families));
    }

    public synchronized void modifyFamily(TableName name, ColumnFamilyDescriptor family) throws IOException {
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
                    + " are still under way, so it stays enabled; try again later");
        }
        show(name, TableState.State.DISABLED);
    }

    private void show(TableName name, TableState.State state) {
        catalog.setState(name, state);
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
        catalog.setState(name, TableState.State.ENABLED);
        catalog.refresh();
    }

    /** Truncates a disabled table and, as in HBase, enables it. */
    public synchronized void truncate(TableName name, boolean keepsSplits) throws IOException {
        requireDisabled(name);
        CellTableSpec spec = store().truncate(name).spec();
        store().alter(RegionIds.numbered(spec, keepsSplits ? spec.splits() : List.of(), nextId()));
        catalog.setState(name, TableState.State.ENABLED);
        catalog.refresh();
    }

    /** Splits the region at the row. */
    public synchronized void split(Region region, Bytes at) throws IOException {
        if (!region.range().contains(at) || at.equals(region.range().from())) {
            throw new DoNotRetryIOException("The split row " + at + " does not lie within the region");
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
        if (regions.size() < 2) {
            throw new DoNotRetryRegionException("A merge needs two regions at least");
        }
        CellTableSpec spec = servedSpec(regions.get(0));
        TreeSet<Integer> places = new TreeSet<>();
        for (Region region : regions) {
            servedSpec(region);
            if (!region.spec().name().equals(spec.name()) || !places.add(indexOf(spec, region))) {
                throw new DoNotRetryRegionException("Regions of different tables, or twice the same, cannot be merged");
            }
        }
        if (places.last() - places.first() != places.size() - 1) {
            throw new DoNotRetryRegionException("Regions that are not neighbours cannot be merged");
        }
        List<Bytes> splits = new ArrayList<>(spec.splits());
        splits.subList(places.first(), places.last()).clear();
        List<Long> ids = new ArrayList<>(RegionIds.of(spec));
        ids.subList(places.first(), places.last()).clear();
        ids.set(places.first(), nextId());
        long bytes = regions.stream().mapToLong(Region::estimatedBytes).sum();
        List<Region> merged = alterRegions(RegionIds.with(spec.withSplits(splits), ids), places.first(), 1);
        merged.forEach(region -> region.measured(bytes, 0));
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
                    "Table '" + name.namespace() + ":" + name.name() + "' doesn't exist, can't take snapshot");
        }
        store().save(name, savedName);
    }

    public List<SavedTable> saved() {
        return store().saved();
    }

    public synchronized void forget(String savedName) {
        store().forget(savedName);
    }

    /** Restores a snapshot into a new table, or into a disabled one, which stays disabled. */
    public synchronized void restoreOrClone(String savedName, TableName name) throws IOException {
        requireUserTable(name);
        if (catalog.tables().find(name).isPresent()) {
            requireDisabled(name);
        } else {
            namespaces.get(name.namespace());
            // A server that crashed while it dropped a table of this name may have left its state behind.
            catalog.setState(name, TableState.State.ENABLED);
        }
        restoreAs(savedName, name);
    }

    /**
     * Compacts a table; also removes delete markers if {@code markers} is set. Not synchronized, so that tables can
     * change meanwhile.
     */
    public void compact(TableName name, boolean markers) {
        store().compact(name, markers);
    }

    private void restoreAs(String saved, TableName name) {
        CellTableSpec spec = store().restore(saved, name).spec();
        store().alter(RegionIds.numbered(spec, spec.splits(), nextId()));
        catalog.refresh();
    }
}
