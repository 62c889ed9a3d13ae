package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is more than the server takes: refused at once with an error that clients do not retry, and nothing is changed. */
class LimitsTest {
    private static final byte[] F = bytes("f");
    private static final byte[] ROW = bytes("row");
    private static final TableName NAME = TableName.valueOf("limited");

    private static ServedCluster served;
    private static Connection connection;
    private static Table table;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        Configuration configuration = served.configuration();
        // The client's own limit comes first otherwise.
        configuration.setInt("hbase.client.keyvalue.maxsize", 0);
        connection = ConnectionFactory.createConnection(configuration);
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    // Without it the limit of HBase comes first.
                    .setValue("hbase.server.keyvalue.maxsize", "0")
                    .build());
        }
        table = connection.getTable(NAME);
    }

    @AfterAll
    static void stop() throws IOException {
        table.close();
        connection.close();
    }

    private static Put wide(int columns) {
        Put put = new Put(ROW);
        for (int i = 0; i < columns; i++) {
            put.addColumn(F, Bytes.toBytes(i), new byte[0]);
        }
        return put;
    }

    @Test
    void cellsOfOneRowInOneCall() throws IOException {
        assertThatThrownBy(() -> table.put(wide(CellLimits.EDITS_PER_ROW_WRITE_MAX + 1)))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("too many edits");
        assertThat(table.exists(new Get(ROW))).isFalse();
        table.put(wide(CellLimits.EDITS_PER_ROW_WRITE_MAX));
        assertThat(table.get(new Get(ROW)).size()).isEqualTo(CellLimits.EDITS_PER_ROW_WRITE_MAX);
        table.delete(new Delete(ROW));
    }

    /** HBase sets no bound to the changes of a call; the asynchronous client sends all at once. */
    @Test
    void moreChangesInOneCallThanTheStoreTakesAtOnce() throws Exception {
        ByteString column = ByteString.copyFrom(F);
        ClientProtos.MutationProto put = ClientProtos.MutationProto.newBuilder()
                .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                .addColumnValue(ClientProtos.MutationProto.ColumnValue.newBuilder()
                        .setFamily(column)
                        .addQualifierValue(ClientProtos.MutationProto.ColumnValue.QualifierValue.newBuilder()
                                .setQualifier(column)
                                .setValue(column)))
                .build();
        ClientProtos.RegionAction.Builder region = ClientProtos.RegionAction.newBuilder();
        try (RegionLocator locator = connection.getRegionLocator(NAME)) {
            byte[] name = locator.getRegionLocation(ROW).getRegion().getRegionName();
            region.setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, name));
        }
        int puts = CellLimits.WRITES_PER_BATCH_MAX + 1;
        for (int i = 0; i < puts; i++) {
            region.addAction(ClientProtos.Action.newBuilder()
                    .setIndex(i)
                    .setMutation(put.toBuilder().setRow(ByteString.copyFrom(many(i)))));
        }
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            wire.call(
                    RawConnection.named(1, "Multi").build(),
                    ClientProtos.MultiRequest.newBuilder()
                            .addRegionAction(region)
                            .build(),
                    new byte[0]);
            assertThat(wire.answer(ClientProtos.MultiResponse.parser())
                            .getRegionActionResult(0)
                            .getResultOrExceptionList())
                    .hasSize(puts)
                    .noneMatch(ClientProtos.ResultOrException::hasException);
        }
        assertThat(table.exists(new Get(many(0)))).isTrue();
        assertThat(table.exists(new Get(many(puts - 1)))).isTrue();
    }

    private static byte[] many(int number) {
        return Bytes.add(bytes("many"), Bytes.toBytes(number));
    }

    @Test
    void lengthsOfQualifiersAndValues() throws IOException {
        byte[] longest = new byte[CellLimits.QUALIFIER_BYTES_MAX];
        table.put(new Put(bytes("long")).addColumn(F, longest, F));
        assertThat(table.get(new Get(bytes("long"))).getValue(F, longest)).isEqualTo(F);
        assertThatThrownBy(() -> table.put(new Put(ROW).addColumn(F, new byte[longest.length + 1], F)))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("A qualifier is too long");
        assertThatThrownBy(() -> table.put(new Put(ROW).addColumn(F, F, new byte[CellLimits.VALUE_BYTES_MAX + 1])))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("A value is too large");
    }

    @Test
    void familiesThatAreNotThere() {
        assertThatThrownBy(() -> table.put(new Put(ROW).addColumn(bytes("g"), F, F)))
                .isInstanceOf(NoSuchColumnFamilyException.class);
        assertThatThrownBy(() -> table.get(new Get(ROW).addFamily(bytes("g"))))
                .isInstanceOf(NoSuchColumnFamilyException.class);
    }

    @Test
    void whatIsNoNumberIsNotIncremented() throws IOException {
        byte[] row = bytes("word");
        table.put(new Put(row).addColumn(F, F, bytes("abc")));
        assertThatThrownBy(() -> table.increment(new Increment(row).addColumn(F, F, 1)))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("Field is not a long, it's 3 bytes wide");
        assertThat(table.get(new Get(row)).getValue(F, F)).isEqualTo(bytes("abc"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
