package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same call sent twice, as a client does that got no answer: the second one changes nothing and answers the same. */
class NonceTest {
    private static final TableName NAME = TableName.valueOf("nonces");
    private static final byte[] F = bytes("f");
    private static final byte[] Q = bytes("q");
    private static final byte[] ROW = bytes("row");
    private static final long GROUP = 77;

    @Test
    void aRepeatedCallIsAppliedOnceAlsoAfterARestart(@TempDir Path directory) throws Exception {
        try (ServedCluster served = ServedCluster.on(directory);
                Connection connection = served.connect()) {
            create(connection);
            assertThat(increment(connection, 1, 5)).isEqualTo(5);
            assertThat(increment(connection, 1, 5)).isEqualTo(5);
            assertThat(increment(connection, 2, 5)).isEqualTo(10);
            assertThat(append(connection, 3, "a")).isEqualTo("a");
            assertThat(append(connection, 3, "a")).isEqualTo("a");
        }
        try (ServedCluster served = ServedCluster.on(directory);
                Connection connection = served.connect()) {
            assertThat(increment(connection, 1, 5))
                    .as("answered as the first time")
                    .isEqualTo(5);
            assertThat(increment(connection, 2, 5)).isEqualTo(10);
            assertThat(append(connection, 3, "a")).isEqualTo("a");
            assertThat(multi(connection, 4)).isEqualTo(13);
            assertThat(multi(connection, 4)).isEqualTo(13);
            assertThat(together(connection, 5)).isEqualTo(14);
            assertThat(together(connection, 5)).isEqualTo(14);
            try (Table table = connection.getTable(NAME)) {
                assertThat(Bytes.toLong(table.get(new Get(ROW)).getValue(F, Q))).isEqualTo(14);
                assertThat(table.get(new Get(ROW)).getValue(F, bytes("log"))).isEqualTo(bytes("a"));
            }
        }
    }

    private static void create(Connection connection) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
        }
    }

    private static ClientProtos.ClientService.BlockingInterface stub(Connection connection) throws IOException {
        return ((ClusterConnection) connection).getClient(location(connection).getServerName());
    }

    private static HRegionLocation location(Connection connection) throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(NAME)) {
            return locator.getRegionLocation(ROW);
        }
    }

    private static RegionSpecifier region(Connection connection) throws IOException {
        return RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFrom(location(connection).getRegion().getRegionName()))
                .build();
    }

    private static long increment(Connection connection, long nonce, long amount) throws Exception {
        Increment increment = new Increment(ROW).addColumn(F, Q, amount);
        return Bytes.toLong(
                mutate(connection, MutationType.INCREMENT, increment, nonce).getValue(F, Q));
    }

    private static String append(Connection connection, long nonce, String text) throws Exception {
        Append append = new Append(ROW).addColumn(F, bytes("log"), bytes(text));
        return Bytes.toString(
                mutate(connection, MutationType.APPEND, append, nonce).getValue(F, bytes("log")));
    }

    private static Result mutate(Connection connection, MutationType type, Mutation mutation, long nonce)
            throws IOException, ServiceException {
        HBaseRpcController controller = new HBaseRpcControllerImpl();
        ClientProtos.MutateResponse response = stub(connection)
                .mutate(
                        controller,
                        ClientProtos.MutateRequest.newBuilder()
                                .setRegion(region(connection))
                                .setMutation(ProtobufUtil.toMutation(type, mutation, nonce))
                                .setNonceGroup(GROUP)
                                .build());
        return ProtobufUtil.toResult(response.getResult(), controller.cellScanner());
    }

    /** An increment by 3 beside other actions. */
    private static long multi(Connection connection, long nonce) throws Exception {
        return answered(connection, nonce, 3, false);
    }

    /** An increment by 1 together with a put, all or nothing. */
    private static long together(Connection connection, long nonce) throws Exception {
        return answered(connection, nonce, 1, true);
    }

    private static long answered(Connection connection, long nonce, long amount, boolean atomic) throws Exception {
        Increment increment = new Increment(ROW).addColumn(F, Q, amount);
        Put put = new Put(ROW).addColumn(F, bytes("other"), bytes("x"));
        ClientProtos.RegionAction.Builder actions = ClientProtos.RegionAction.newBuilder()
                .setRegion(region(connection))
                .setAtomic(atomic)
                .addAction(ClientProtos.Action.newBuilder()
                        .setIndex(0)
                        .setMutation(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, nonce)))
                .addAction(ClientProtos.Action.newBuilder()
                        .setIndex(1)
                        .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put)));
        HBaseRpcController controller = new HBaseRpcControllerImpl();
        ClientProtos.MultiResponse response = stub(connection)
                .multi(
                        controller,
                        ClientProtos.MultiRequest.newBuilder()
                                .addRegionAction(actions)
                                .setNonceGroup(GROUP)
                                .build());
        List<ClientProtos.ResultOrException> outcomes =
                response.getRegionActionResult(0).getResultOrExceptionList();
        assertThat(outcomes.get(0).hasException()).isFalse();
        return Bytes.toLong(ProtobufUtil.toResult(outcomes.get(0).getResult(), controller.cellScanner())
                .getValue(F, Q));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
