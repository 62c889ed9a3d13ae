package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.hbase.client.ClientLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls on the level of HBase's protocol: scan portions, heartbeats and cursors, and which calls wait for others. */
class ProtocolTest {
    private static final byte[] F = bytes("f");
    private static final TableName NAME = TableName.valueOf("raw");
    private static final int ROWS = 5_000;

    @TempDir
    static Path directory;

    private static ServedCluster served;
    private static Connection connection;
    private static ByteString region;
    private final AtomicInteger lastCall = new AtomicInteger();

    @BeforeAll
    static void start() throws IOException {
        ClientLimits limits = new ClientLimits(4, Duration.ofSeconds(60), 1 << 20);
        served = ServedCluster.on(directory, options -> options.withLimits(100, 8 << 20, limits));
        connection = served.connect();
        try (Admin admin = connection.getAdmin();
                Table table = connection.getTable(NAME)) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
            region = ByteString.copyFrom(admin.getRegions(NAME).get(0).getRegionName());
            List<Put> puts = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                puts.add(new Put(bytes(row(i))).addColumn(F, F, bytes("v" + i)));
            }
            table.put(puts);
            Put wide = new Put(bytes("wide"));
            for (int i = 0; i < 50; i++) {
                wide.addColumn(F, bytes("q" + (100 + i)), new byte[1_000]);
            }
            table.put(wide);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
        served.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String row(int number) {
        return "r" + (10_000 + number);
    }

    private static RegionSpecifier region() {
        return RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(region)
                .build();
    }

    private static ClientProtos.ScanRequest.Builder asking(int rows) {
        return ClientProtos.ScanRequest.newBuilder()
                .setNumberOfRows(rows)
                .setClientHandlesPartials(true)
                .setClientHandlesHeartbeats(true);
    }

    private ClientProtos.ScanResponse scan(RawConnection wire, ClientProtos.ScanRequest.Builder request)
            throws IOException {
        wire.call(named("Scan"), request.build(), new byte[0]);
        return wire.answer(ClientProtos.ScanResponse.parser());
    }

    private RequestHeader named(String method) {
        return RawConnection.named(lastCall.incrementAndGet(), method).build();
    }

    /** From the second call on the server reads ahead. */
    @Test
    void eachCallGetsAsManyRowsAsItAsksFor() throws IOException {
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            ClientProtos.ScanResponse opened = scan(
                    wire,
                    asking(10).setRegion(region()).setScan(ProtobufUtil.toScan(new Scan().withStopRow(bytes("s")))));
            int seen = opened.getCellsPerResultCount();
            int[] portions = {10, 3, 1, 500, 20, 700, 2};
            boolean more = true;
            for (int call = 0; more; call++) {
                int rows = portions[call % portions.length];
                ClientProtos.ScanResponse answer = scan(
                        wire, asking(rows).setScannerId(opened.getScannerId()).setNextCallSeq(call));
                assertThat(answer.getCellsPerResultCount()).isLessThanOrEqualTo(rows);
                seen += answer.getCellsPerResultCount();
                more = answer.getMoreResultsInRegion();
                if (more) {
                    // A lease is renewed between two calls, and what was read ahead stays.
                    scan(wire, asking(0).setScannerId(opened.getScannerId()).setRenew(true));
                }
            }
            assertThat(seen).isEqualTo(ROWS);
            assertThat(served.face().scannerCount()).isZero();
        }
    }

    @Test
    void rowsComeInOrderAndOnce() throws IOException {
        try (Table table = connection.getTable(NAME);
                ResultScanner scanner =
                        table.getScanner(new Scan().setCaching(7).withStopRow(bytes("s")))) {
            int expected = 0;
            for (Result result : scanner) {
                assertThat(Bytes.toString(result.getRow())).isEqualTo(row(expected++));
            }
            assertThat(expected).isEqualTo(ROWS);
        }
    }

    @Test
    void aScannerThatIsLeftInTheMiddleIsClosed() throws IOException {
        try (Table table = connection.getTable(NAME)) {
            for (int i = 0; i < 20; i++) {
                try (ResultScanner scanner = table.getScanner(new Scan().setCaching(5))) {
                    for (int row = 0; row < 12; row++) {
                        assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo(row(row));
                    }
                }
            }
        }
    }

    /** Nothing matches: the client gets a heartbeat with the scan's position before its timeout. */
    @Test
    void aScanWithoutResultsTellsWhereItIs() throws IOException {
        Scan scan = new Scan()
                .setNeedCursorResult(true)
                .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(bytes("none"))));
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            ClientProtos.ScanRequest request = asking(Integer.MAX_VALUE)
                    .setRegion(region())
                    .setScan(ProtobufUtil.toScan(scan))
                    .build();
            wire.call(RawConnection.named(1, "Scan").setTimeout(1).build(), request, new byte[0]);
            ClientProtos.ScanResponse answer = wire.answer(ClientProtos.ScanResponse.parser());
            assertThat(answer.getHeartbeatMessage()).isTrue();
            assertThat(answer.getMoreResultsInRegion()).isTrue();
            assertThat(answer.getCursor().getRow().toStringUtf8()).startsWith("r1");
            scan(wire, asking(0).setScannerId(answer.getScannerId()).setCloseScanner(true));
        }
    }

    @Test
    void aRowComesInPartsWhereTheClientAllowsIt() throws IOException {
        Scan scan = new Scan().withStartRow(bytes("wide")).setMaxResultSize(5_000);
        try (Table table = connection.getTable(NAME);
                ResultScanner parts = table.getScanner(new Scan(scan).setAllowPartialResults(true));
                ResultScanner whole = table.getScanner(scan)) {
            Result first = parts.next();
            assertThat(first.mayHaveMoreCellsInRow()).isTrue();
            int cells = first.size();
            for (Result part : parts) {
                cells += part.size();
            }
            assertThat(cells).isEqualTo(50);
            assertThat(whole.next().size()).isEqualTo(50);
            assertThat(whole.next()).isNull();
        }
    }

    private ResponseHeader refusal(RawConnection wire, String method, Message request) throws IOException {
        wire.call(named(method), request, new byte[0]);
        return wire.answer();
    }

    @Test
    void coprocessorsAndFilesAreRefusedForGood() throws IOException {
        ClientProtos.CoprocessorServiceRequest coprocessor = ClientProtos.CoprocessorServiceRequest.newBuilder()
                .setRegion(region())
                .setCall(ClientProtos.CoprocessorServiceCall.newBuilder()
                        .setRow(ByteString.copyFromUtf8("row"))
                        .setServiceName("Sums")
                        .setMethodName("sum")
                        .setRequest(ByteString.EMPTY))
                .build();
        ClientProtos.BulkLoadHFileRequest files = ClientProtos.BulkLoadHFileRequest.newBuilder()
                .setRegion(region())
                .build();
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            ResponseHeader called = refusal(wire, "ExecService", coprocessor);
            assertThat(called.getException().getDoNotRetry()).isTrue();
            assertThat(called.getException().getStackTrace()).contains("Coprocessors are not supported");
            ResponseHeader loaded = refusal(wire, "BulkLoadHFile", files);
            assertThat(loaded.getException().getDoNotRetry()).isTrue();
            assertThat(loaded.getException().getStackTrace()).contains("Bulk load of HFiles is not supported");
        }
    }

    /** The event loop serves other clients too. */
    @Test
    void aPutThatWaitsForItsRowHoldsNoReaderUp() throws Exception {
        try (AsyncConnection asynchronous =
                ConnectionFactory.createAsyncConnection(served.configuration()).get()) {
            asynchronous.getTable(NAME).get(new Get(bytes(row(1)))).get(20, TimeUnit.SECONDS);
            CompletableFuture<Void> put;
            served.store().stripes().lockEverything();
            try {
                put = asynchronous.getTable(NAME).put(new Put(bytes("waiting")).addColumn(F, F, F));
                for (int i = 0; i < 3; i++) {
                    Result read = asynchronous
                            .getTable(NAME)
                            .get(new Get(bytes(row(i))))
                            .get(8, TimeUnit.SECONDS);
                    assertThat(read.isEmpty()).isFalse();
                }
                assertThat(put.isDone()).isFalse();
            } finally {
                served.store().stripes().unlockEverything();
            }
            put.get(20, TimeUnit.SECONDS);
        }
    }
}
