package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.hbase.client.ClientLimits;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A refused call changes nothing, fails with an error that clients do not retry, and does not block others. */
class RefusedCallsTest {
    private static final TableName NAME = TableName.valueOf("refused");
    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] Q = Bytes.toBytes("q");
    private static final byte KERBEROS = 81;

    @TempDir
    static Path directory;

    private static ServedCluster served;
    private static Connection connection;
    private static Table table;
    private static RegionInfo region;

    @BeforeAll
    static void start() throws IOException {
        ClientLimits oneScanner = new ClientLimits(1, Duration.ofSeconds(60), ClientLimits.DEFAULT.resultBytesMax());
        served = ServedCluster.on(directory, options -> options.withLimits(100, 1 << 20, oneScanner));
        connection = served.connect();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
            region = admin.getRegions(NAME).get(0);
        }
        table = connection.getTable(NAME);
    }

    @AfterAll
    static void stop() throws IOException {
        table.close();
        connection.close();
        served.close();
    }

    private static ClientProtos.MutateRequest.Builder put(String row) {
        return ClientProtos.MutateRequest.newBuilder()
                .setRegion(HBaseProtos.RegionSpecifier.newBuilder()
                        .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.copyFrom(region.getRegionName())))
                .setMutation(ClientProtos.MutationProto.newBuilder()
                        .setRow(ByteString.copyFromUtf8(row))
                        .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                        .addColumnValue(ClientProtos.MutationProto.ColumnValue.newBuilder()
                                .setFamily(ByteString.copyFrom(F))
                                .addQualifierValue(ClientProtos.MutationProto.ColumnValue.QualifierValue.newBuilder()
                                        .setQualifier(ByteString.copyFrom(Q))
                                        .setValue(ByteString.copyFrom(Q)))));
    }

    @Test
    void aComparatorOfOnesOwnIsNamed() throws IOException {
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            ClientProtos.Condition condition = ClientProtos.Condition.newBuilder()
                    .setRow(ByteString.copyFromUtf8("compared"))
                    .setFamily(ByteString.copyFrom(F))
                    .setQualifier(ByteString.copyFrom(Q))
                    .setCompareType(HBaseProtos.CompareType.EQUAL)
                    .setComparator(ComparatorProtos.Comparator.newBuilder().setName("com.example.Mine"))
                    .build();
            wire.call(
                    RawConnection.named(1, "Mutate").build(),
                    put("compared").setCondition(condition).build(),
                    new byte[0]);
            ResponseHeader answer = wire.answer();
            assertThat(answer.getException().getDoNotRetry())
                    .as(answer.toString())
                    .isTrue();
            assertThat(answer.getException().getStackTrace()).contains("com.example.Mine");
        }
        assertThat(table.exists(new Get(Bytes.toBytes("compared")))).isFalse();
    }

    /** A regular expression that takes all of a thread's stack: its Get or check fails, the other actions are told as they went. */
    @Test
    void anExpressionThatIsTooDeepFailsAlone() throws Exception {
        byte[] row = Bytes.toBytes("deep");
        byte[] deep = "ab".repeat(200_000).getBytes(StandardCharsets.UTF_8);
        table.put(new Put(row).addColumn(F, Q, deep));
        RegexStringComparator comparator = new RegexStringComparator("(a|b)*c");
        Get get = new Get(row).setFilter(new ValueFilter(CompareOperator.EQUAL, comparator));
        CheckAndMutate check = CheckAndMutate.newBuilder(row)
                .ifMatches(new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, comparator))
                .build(new Put(row).addColumn(F, Q, Q));
        Put put = new Put(Bytes.toBytes("beside")).addColumn(F, Q, Q);
        Object[] results = new Object[2];
        assertThatThrownBy(() -> table.batch(List.of(put, get), results))
                .isInstanceOf(RetriesExhaustedWithDetailsException.class);
        assertThat(results[0]).isInstanceOf(Result.class);
        assertThat(results[1]).isInstanceOf(DoNotRetryIOException.class);
        assertThatThrownBy(() -> table.checkAndMutate(check))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("more stack");
        assertThat(table.get(new Get(row)).getValue(F, Q)).isEqualTo(deep);
    }

    /** All of it in one piece, as a network may bring it. */
    @Test
    void whatFollowsARefusedPreambleIsNotDone() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(new byte[] {'H', 'B', 'a', 's', 0, KERBEROS});
        byte[] header = ConnectionHeader.newBuilder()
                .setServiceName("ClientService")
                .setUserInfo(UserInformation.newBuilder().setEffectiveUser("tester"))
                .build()
                .toByteArray();
        out.writeInt(header.length);
        out.write(header);
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        RawConnection.named(1, "Mutate").build().writeDelimitedTo(call);
        put("unseen").build().writeDelimitedTo(call);
        out.writeInt(call.size());
        call.writeTo(out);
        try (RawConnection wire = new RawConnection(served.face().regionServerPort())) {
            wire.out().write(bytes.toByteArray());
            assertThat(wire.answer().getException().getStackTrace()).contains("only SIMPLE authentication");
            wire.awaitEnd();
        }
        assertThat(table.exists(new Get(Bytes.toBytes("unseen")))).isFalse();
    }

    @Test
    void whoHasAllScannersKeepsNobodyFromFindingARegion() throws IOException {
        for (int i = 0; i < 3; i++) {
            table.put(new Put(Bytes.toBytes("scanned" + i)).addColumn(F, Q, Q));
        }
        try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1))) {
            assertThat(scanner.next()).isNotNull();
            assertThat(served.face().scannerCount()).isEqualTo(1);
            try (Connection fresh = served.connect();
                    Table same = fresh.getTable(NAME)) {
                assertThat(same.exists(new Get(Bytes.toBytes("scanned1")))).isTrue();
            }
        }
    }
}
