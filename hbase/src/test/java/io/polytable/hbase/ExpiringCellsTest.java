package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells with a time to live of their own, and the tag by which clients copy it. */
class ExpiringCellsTest {
    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] Q = Bytes.toBytes("q");
    private static final TableName NAME = TableName.valueOf("expiring");
    private static final long HOUR_MILLIS = 3_600_000;

    private static ServedCluster served;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        try (Connection connection = served.connect();
                Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
        }
    }

    private static Connection connected(String codec) throws IOException {
        Configuration configuration = served.configuration();
        configuration.set(HConstants.RPC_CODEC_CONF_KEY, "org.apache.hadoop.hbase.codec." + codec);
        return ConnectionFactory.createConnection(configuration);
    }

    /** The times to live that the client sees. */
    private static List<Long> ttls(Result result) {
        return result.listCells().stream()
                .flatMap(cell -> PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE).map(Tag::getValueAsLong).stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"KeyValueCodecWithTags", "CellCodecWithTags"})
    void aTagCarriesTheTimeToLive(String codec) throws IOException {
        byte[] row = Bytes.toBytes("tagged " + codec);
        byte[] copy = Bytes.toBytes("copy " + codec);
        try (Connection connection = connected(codec);
                Table table = connection.getTable(NAME)) {
            table.put(new Put(row).setTTL(HOUR_MILLIS).addColumn(F, Q, Q));
            table.put(new Put(row).addColumn(F, F, F));
            Result found = table.get(new Get(row));
            assertThat(found.size()).isEqualTo(2);
            assertThat(found.getValue(F, Q)).isEqualTo(Q);
            assertThat(ttls(found)).containsExactly(HOUR_MILLIS);

            // As tools do that copy tables: cells go out as they came in.
            Put again = new Put(copy);
            for (Cell cell : found.listCells()) {
                again.add(PrivateCellUtil.createCell(
                        CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                                .setRow(copy)
                                .setFamily(CellUtil.cloneFamily(cell))
                                .setQualifier(CellUtil.cloneQualifier(cell))
                                .setTimestamp(cell.getTimestamp())
                                .setType(Cell.Type.Put)
                                .setValue(CellUtil.cloneValue(cell))
                                .build(),
                        PrivateCellUtil.getTags(cell)));
            }
            // HBase's client sends tags only with the cells of a batch.
            table.put(List.of(again, new Put(row).addColumn(F, F, F)));
            assertThat(ttls(table.get(new Get(copy)))).containsExactly(HOUR_MILLIS);
        }
    }

    @Test
    void aCodecWithoutTagsDropsThem() throws IOException {
        byte[] row = Bytes.toBytes("plain");
        try (Connection connection = connected("KeyValueCodec");
                Table table = connection.getTable(NAME)) {
            table.put(new Put(row).setTTL(HOUR_MILLIS).addColumn(F, Q, Q));
            assertThat(ttls(table.get(new Get(row)))).isEmpty();
        }
    }

    @Test
    void aTimeToLiveOfZeroIsNotForEver() throws IOException {
        byte[] row = Bytes.toBytes("at once");
        try (Connection connection = served.connect();
                Table table = connection.getTable(NAME)) {
            table.put(new Put(row).setTTL(0).addColumn(F, Q, Q));
            Await.until("the cell has expired", () -> !table.exists(new Get(row)));
        }
    }
}
