package io.polytable.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which regions are split because of their size, and where. */
class SizeSplitsTest {
    private static final long REGION_BYTES_MAX = 1 << 20;
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes VALUE = Bytes.of(new byte[1_000]);

    private final MemoryStore store = new MemoryStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final Catalog catalog = new Catalog(cells);
    private final TableChanges changes = new TableChanges(catalog, new Namespaces(catalog), InstantSource.system());
    private final Switches switches = new Switches();
    private final SizeSplits splits = new SizeSplits(catalog, changes, switches, REGION_BYTES_MAX);

    @AfterEach
    void close() {
        splits.close();
        cells.close();
        store.close();
    }

    private static TableDescriptorBuilder named(String name) {
        return TableDescriptorBuilder.newBuilder(org.apache.hadoop.hbase.TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    }

    private TableName created(TableDescriptorBuilder table) throws IOException {
        changes.create(table.build(), List.of());
        return new TableName("default", table.build().getTableName().getNameAsString());
    }

    private void fill(TableName name, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            Bytes row = Bytes.utf8(String.format(Locale.ROOT, "%06d", i));
            RowWrite write = RowWrite.of(row, new Edit.Put(F, F, 1, VALUE));
            Region region = regions(name).stream()
                    .filter(each -> each.range().contains(row))
                    .findFirst()
                    .orElseThrow();
            region.write(table -> table.writeAsync(write)).join();
            region.wrote(write);
        }
    }

    private List<Region> regions(TableName name) throws IOException {
        return catalog.table(name).regions();
    }

    @Test
    void aRegionThatGrowsTooLargeIsSplitInTheMiddle() throws IOException {
        TableName name = created(named("grows"));
        fill(name, 0, 700);
        splits.look();
        assertThat(regions(name)).as("below the limit").hasSize(1);

        fill(name, 700, 1_400);
        splits.look();
        assertThat(regions(name)).hasSize(2);
        assertThat(Integer.parseInt(regions(name).get(1).range().from().utf8())).isBetween(600, 800);
    }

    @Test
    void aTableHasALimitOfItsOwnOrNone() throws IOException {
        TableName small =
                created(named("small").setMaxFileSize(100_000).setValue("hbase.table.sanity.checks", "false"));
        TableName whole = created(named("whole").setSplitEnabled(false));
        TableName policy = created(named("policy")
                .setRegionSplitPolicyClassName("org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"));
        fill(small, 0, 200);
        fill(whole, 0, 1_400);
        fill(policy, 0, 1_400);
        splits.look();
        assertThat(regions(small)).hasSize(2);
        assertThat(regions(whole)).hasSize(1);
        assertThat(regions(policy)).hasSize(1);
    }

    @Test
    void nothingIsSplitWhileTheSwitchIsOff() throws IOException {
        TableName name = created(named("switched"));
        fill(name, 0, 1_400);
        switches.set(Switches.Name.SPLIT, false);
        splits.look();
        assertThat(regions(name)).hasSize(1);
        switches.set(Switches.Name.SPLIT, true);
        splits.look();
        assertThat(regions(name)).hasSize(2);
    }

    /** As a server stored it that did not refuse it. */
    @Test
    void aStoredLimitThatIsNoNumberDoesNotKeepOtherTablesFromSplits() throws IOException {
        CellTableSpec spec = catalog.table(created(named("a-word"))).cells().spec();
        Map<Bytes, Bytes> attributes = new TreeMap<>(spec.attributes());
        attributes.put(Bytes.utf8("MAX_FILESIZE"), Bytes.utf8("abc"));
        cells.alter(spec.withAttributes(attributes));
        TableName beside = created(named("b-beside"));
        fill(beside, 0, 1_400);
        splits.look();
        assertThat(regions(beside)).hasSize(2);
    }
}
