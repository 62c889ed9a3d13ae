package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Settings of tables and of the cluster have their effect, and those that cannot have one are refused. */
class TableSettingsTest {
    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] Q = Bytes.toBytes("q");
    private static final byte[] ROW = Bytes.toBytes("row");
    private static final String BYPASS =
            " Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks";

    private static ServedCluster served;
    private static Connection connection;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        Configuration configuration = served.configuration();
        // The client's own limit comes first otherwise.
        configuration.setInt("hbase.client.keyvalue.maxsize", 0);
        connection = ConnectionFactory.createConnection(configuration);
        admin = connection.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        connection.close();
    }

    private static TableDescriptorBuilder named(String name) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    }

    private static Table created(TableDescriptorBuilder table, byte[]... splits) throws IOException {
        admin.createTable(table.build(), splits.length == 0 ? null : splits);
        return connection.getTable(table.build().getTableName());
    }

    private static Put put(byte[] value) {
        return new Put(ROW).addColumn(F, Q, value);
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(DoNotRetryIOException.class).hasMessageContaining(text);
    }

    @Test
    void aReadOnlyTableTakesNoWrites() throws Exception {
        Table table = created(named("read-only"));
        table.put(put(Q));
        TableDescriptor before = admin.getDescriptor(table.getName());
        admin.modifyTable(
                TableDescriptorBuilder.newBuilder(before).setReadOnly(true).build());
        String text = "region is read only";
        assertRefused(() -> table.put(put(Q)), text);
        assertRefused(() -> table.delete(new Delete(ROW)), text);
        assertRefused(() -> table.increment(new Increment(ROW).addColumn(F, ROW, 1)), text);
        assertRefused(() -> table.append(new Append(ROW).addColumn(F, Q, Q)), text);
        assertThatThrownBy(() -> table.mutateRow(RowMutations.of(List.of(put(ROW)))))
                .hasStackTraceContaining(text);
        assertRefused(
                () -> table.checkAndMutate(
                        CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, ROW).build(put(ROW))),
                text);
        assertThatThrownBy(() -> table.batch(List.<Row>of(put(ROW), put(ROW)), new Object[2]))
                .hasStackTraceContaining(text);
        assertThat(table.get(new Get(ROW)).getValue(F, Q)).isEqualTo(Q);

        admin.modifyTable(before);
        table.put(put(ROW));
        assertThat(table.get(new Get(ROW)).getValue(F, Q)).isEqualTo(ROW);
    }

    @Test
    void aCellHasALimitOfTheTableOrOfTenMegabytes() throws Exception {
        Table small = created(named("small-cells").setValue("hbase.server.keyvalue.maxsize", "100"));
        // Row, family and qualifier are 5 bytes, the other fields of a cell 24.
        small.put(put(new byte[71]));
        assertRefused(
                () -> small.put(put(new byte[72])),
                "Cell[row/f:q/LATEST_TIMESTAMP/Put/vlen=72/seqid=0] with size 101 exceeds limit of 100 bytes");
        assertRefused(() -> small.append(new Append(ROW).addColumn(F, Q, new byte[72])), "exceeds limit of 100 bytes");
        assertThatThrownBy(() -> small.mutateRow(RowMutations.of(List.of(put(Q), put(new byte[72])))))
                .hasStackTraceContaining("exceeds limit of 100 bytes");
        Object[] results = new Object[2];
        assertThatThrownBy(() -> small.batch(List.<Row>of(put(new byte[72]), put(Q)), results))
                .hasStackTraceContaining("exceeds limit of 100 bytes");
        assertThat(small.get(new Get(ROW)).getValue(F, Q)).as("the other put").isEqualTo(Q);

        small.put(put(new byte[40]));
        String region = admin.getRegions(small.getName()).get(0).getRegionNameAsString();
        String produced = "Cell with size 109 exceeds limit of 100 bytes in region " + region;
        Append append = new Append(ROW).addColumn(F, Q, new byte[40]);
        assertRefused(() -> small.append(append), produced);
        assertThatThrownBy(() -> small.batch(List.of(append), new Object[1])).hasStackTraceContaining(produced);
        assertThatThrownBy(() -> small.mutateRow(RowMutations.of(List.of(append))))
                .hasStackTraceContaining(produced);
        assertThat(small.get(new Get(ROW)).getValue(F, Q)).as("unchanged").hasSize(40);

        Table usual = created(named("usual-cells"));
        assertRefused(() -> usual.put(put(new byte[10 << 20])), "exceeds limit of 10485760 bytes");
        Table large = created(named("large-cells").setValue("hbase.server.keyvalue.maxsize", "0"));
        large.put(put(new byte[10 << 20]));
        assertThat(large.exists(new Get(ROW))).isTrue();
    }

    @Test
    void splitsAndMergesAreSwitchedOff() throws Exception {
        TableName name = created(named("switches"), Bytes.toBytes("m")).getName();
        List<RegionInfo> regions = admin.getRegions(name);
        admin.splitSwitch(false, true);
        admin.mergeSwitch(false, true);
        try {
            assertThatThrownBy(() -> split(regions.get(0)))
                    .hasStackTraceContaining("Split region " + regions.get(0).getRegionNameAsString()
                            + " failed due to split switch off");
            assertThatThrownBy(() -> merge(regions))
                    .hasStackTraceContaining("Merge of " + RegionInfo.getShortNameToLog(regions)
                            + " failed because merge switch is off");
        } finally {
            admin.splitSwitch(true, true);
            admin.mergeSwitch(true, true);
        }
        merge(regions);
        assertThat(admin.getRegions(name)).hasSize(1);
    }

    @Test
    void splitsAndMergesAreDisabledForATable() throws Exception {
        TableName name = created(named("undivided").setSplitEnabled(false).setMergeEnabled(false), Bytes.toBytes("m"))
                .getName();
        List<RegionInfo> regions = admin.getRegions(name);
        assertThatThrownBy(() -> split(regions.get(0)))
                .hasStackTraceContaining("failed as region split is disabled for the table");
        assertThatThrownBy(() -> merge(regions))
                .hasStackTraceContaining("failed as region merge is disabled for the table");
        assertThat(admin.getRegions(name)).hasSize(2);
    }

    @Test
    void aPolicyForbidsEverySplit() throws Exception {
        TableName name = created(named("whole")
                        .setRegionSplitPolicyClassName(
                                "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"))
                .getName();
        assertThatThrownBy(() -> split(admin.getRegions(name).get(0))).hasStackTraceContaining("NOT splittable");
        assertThat(admin.getRegions(name)).hasSize(1);
    }

    @Test
    void aTableOfTheServerExists() {
        assertThatThrownBy(() -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.META_TABLE_NAME)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                        .build()))
                .isInstanceOf(TableExistsException.class);
    }

    @Test
    void onlyNeighboursAreMerged() throws Exception {
        List<RegionInfo> regions = admin.getRegions(created(named("neighbours"), Bytes.toBytes("h"), Bytes.toBytes("p"))
                .getName());
        assertThatThrownBy(() -> merge(List.of(regions.get(0), regions.get(2))))
                .isInstanceOf(MergeRegionException.class)
                .hasStackTraceContaining("Unable to merge non-adjacent or non-overlapping regions '"
                        + regions.get(0).getShortNameToLog() + "', '"
                        + regions.get(2).getShortNameToLog() + "' when force=false");
        assertThatThrownBy(() -> merge(List.of(regions.get(0), regions.get(0))))
                .hasStackTraceContaining("Duplicate regions specified");
    }

    private static void split(RegionInfo region) throws Exception {
        admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes("c")).get();
    }

    private static void merge(List<RegionInfo> regions) throws Exception {
        byte[][] names = regions.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
        admin.mergeRegionsAsync(names, false).get();
    }

    private static void assertRefused(UnaryOperator<TableDescriptorBuilder> change, String text) throws IOException {
        assertRefused(() -> admin.createTable(change.apply(named("unchecked")).build()), text);
        assertThat(admin.tableExists(TableName.valueOf("unchecked"))).isFalse();
        TableDescriptor good = admin.getDescriptor(TableName.valueOf("checked"));
        assertRefused(
                () -> admin.modifyTable(
                        change.apply(TableDescriptorBuilder.newBuilder(good)).build()),
                text);
    }

    private static void assertFamilyRefused(UnaryOperator<ColumnFamilyDescriptorBuilder> change, String text)
            throws IOException {
        TableName checked = TableName.valueOf("checked");
        ColumnFamilyDescriptor own =
                change.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build();
        ColumnFamilyDescriptor other =
                change.apply(ColumnFamilyDescriptorBuilder.newBuilder(Q)).build();
        assertRefused(
                () -> admin.createTable(
                        named("unchecked").modifyColumnFamily(own).build()),
                text);
        assertRefused(() -> admin.modifyColumnFamily(checked, own), text);
        assertRefused(() -> admin.addColumnFamily(checked, other), text);
        assertThat(admin.getDescriptor(checked).getColumnFamilyCount()).isOne();
    }

    @Test
    void descriptorsAreChecked() throws IOException {
        created(named("checked"));
        assertRefused(
                table -> table.setMaxFileSize(1),
                "MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" (1) is too small, which might cause"
                        + " over splitting into unmanageable number of regions." + BYPASS);
        assertRefused(
                table -> table.setMemStoreFlushSize(1),
                "MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" (1) is too small,"
                        + " which might cause very frequent flushing." + BYPASS);
        assertRefused(
                table -> table.setRegionSplitPolicyClassName("nonexisting.foo.class"),
                "Unable to load configured region split policy 'nonexisting.foo.class'");
        assertRefused(
                table -> table.setValue("hbase.regionserver.region.split.policy", "nonexisting.foo.class"),
                "Unable to load configured region split policy 'nonexisting.foo.class'");
        assertRefused(table -> table.setRegionReplication(0), "Table region replication should be at least one.");
        assertRefused(table -> table.setRegionReplication(2), "Region replicas are not supported");
        assertRefused(table -> table.setValue("hbase.server.keyvalue.maxsize", "much"), "is not a number");

        assertFamilyRefused(family -> family.setTimeToLive(0), "TTL for column family");
        assertFamilyRefused(family -> family.setBlocksize(0), "  must be between 1K and 16MB." + BYPASS);
        assertFamilyRefused(family -> family.setBlocksize(32 << 20), "  must be between 1K and 16MB." + BYPASS);
        assertFamilyRefused(family -> family.setMinVersions(-1), "  must be positive." + BYPASS);
        assertFamilyRefused(
                family -> family.setMaxVersions(2).setMinVersions(3), " must be less than the Max versions." + BYPASS);
        assertFamilyRefused(family -> family.setScope(-1), " is -1 which is invalid.");
        assertFamilyRefused(family -> family.setValue("DFS_REPLICATION", "-1"), "  must be greater than zero.");
        assertFamilyRefused(
                family -> family.setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH),
                "Failed to get bloom filter param");
        assertFamilyRefused(family -> family.setNewVersionBehavior(true), "NEW_VERSION_BEHAVIOR is not supported");
        assertFamilyRefused(family -> family.setMobEnabled(true), "IS_MOB is not supported");
        assertFamilyRefused(family -> family.setEncryptionType("AES"), "ENCRYPTION is not supported");
    }

    @Test
    void aTableCanDoWithoutSanityChecks() throws IOException {
        TableDescriptorBuilder careless =
                named("careless").setMaxFileSize(1).setValue("hbase.table.sanity.checks", "false");
        TableName name = created(careless).getName();
        assertThat(admin.getDescriptor(name).getMaxFileSize()).isOne();
        // Otherwise the table is split into as many regions as it has rows.
        admin.disableTable(name);
        admin.deleteTable(name);
    }

    @Test
    void aFailedCheckHidesAFamilyThatTheTableDoesNotHave() throws IOException {
        Table table = created(named("unnoticed"));
        table.put(put(Q));
        Put other = new Put(ROW).addColumn(Bytes.toBytes("none"), Q, Q);
        assertThat(table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                                .ifMatches(F, Q, CompareOperator.EQUAL, ROW)
                                .build(other))
                        .isSuccess())
                .isFalse();
        assertRefused(
                () -> table.checkAndMutate(
                        CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, Q).build(other)),
                "Column family none does not exist in region unnoticed,,");
    }

    @Test
    void aMissingFamilyIsNamedAsByHBase() throws IOException {
        Table table = created(named("families-named"));
        byte[] none = Bytes.toBytes("none");
        String region = admin.getRegions(table.getName()).get(0).getRegionNameAsString();
        String text = "Column family none does not exist in region " + region + " in table 'families-named'";
        assertRefused(() -> table.put(new Put(ROW).addColumn(none, Q, Q)), text);
        assertRefused(() -> table.get(new Get(ROW).addFamily(none)), text);
        assertRefused(() -> table.getScanner(none).next(), text);
        assertThatThrownBy(() -> table.get(List.of(new Get(ROW).addFamily(none), new Get(Q))))
                .hasStackTraceContaining(text);
    }

    @Test
    @SuppressWarnings("deprecation") // HBase's shell calls these.
    void anEmptyPatternMatchesNoTable() throws IOException {
        created(named("listed"));
        assertThat(admin.listTableNames("")).isEmpty();
        assertThat(admin.listTables("")).isEmpty();
        assertThat(admin.listTableNames()).contains(TableName.valueOf("listed"));
        assertThat(admin.listTableNames("liste.")).containsExactly(TableName.valueOf("listed"));
    }

    /** HBase's canary writes to a table of its own in the namespace hbase. */
    @Test
    void theCanaryHasItsTable() throws IOException {
        Table canary = created(named("hbase:canary"));
        canary.put(put(Q));
        assertThat(canary.exists(new Get(ROW))).isTrue();
        admin.disableTable(canary.getName());
        admin.deleteTable(canary.getName());
        assertRefused(() -> admin.disableTable(TableName.META_TABLE_NAME), "");
    }
}
