package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.hbase.client.ClientLimits;
import io.polytable.table.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that no client of HBase sends: each gets a typed error or a closed connection, and the server continues. */
class MalformedCallsTest {
    private static final int CALL_BYTES_MAX = 1 << 20;

    @TempDir
    static Path directory;

    private static ServedCluster served;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.on(directory, options -> options.withLimits(8, CALL_BYTES_MAX, ClientLimits.DEFAULT));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    private static int port() {
        return served.face().regionServerPort();
    }

    private static RequestHeader.Builder named(int id, String method) {
        return RawConnection.named(id, method);
    }

    private static ClientProtos.GetRequest get() {
        return ClientProtos.GetRequest.newBuilder()
                .setRegion(meta())
                .setGet(ClientProtos.Get.newBuilder().setRow(ByteString.copyFromUtf8("row")))
                .build();
    }

    private static RegionSpecifier meta() {
        return RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFrom(RegionInfoBuilder.FIRST_META_REGIONINFO.getRegionName()))
                .build();
    }

    private static void assertServes(RawConnection wire) throws IOException {
        wire.call(named(99, "Get").build(), get(), new byte[0]);
        ResponseHeader answer = wire.answer();
        assertThat(answer.getCallId()).isEqualTo(99);
        assertThat(answer.hasException()).isFalse();
    }

    @Test
    void anUnknownMethodIsTheCallsOwnMistake() throws IOException {
        try (RawConnection wire = RawConnection.opened(port())) {
            wire.call(named(7, "Frobnicate").build(), get(), new byte[0]);
            ResponseHeader answer = wire.answer();
            assertThat(answer.getCallId()).isEqualTo(7);
            assertThat(answer.getException().getDoNotRetry()).isTrue();
            assertThat(answer.getException().getStackTrace()).contains("ClientService.Frobnicate is not supported");
            assertServes(wire);
        }
    }

    @Test
    void aCallThatIsTooLargeIsRefusedAndTheNextIsServed() throws IOException {
        try (RawConnection wire = RawConnection.opened(port())) {
            RequestHeader header = named(8, "Mutate").build();
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            header.writeDelimitedTo(frame);
            frame.write(new byte[CALL_BYTES_MAX]);
            wire.out().writeInt(frame.size());
            frame.writeTo(wire.out());
            ResponseHeader answer = wire.answer();
            assertThat(answer.getCallId()).isEqualTo(8);
            assertThat(answer.getException().getExceptionClassName()).endsWith("RequestTooBigException");
            assertServes(wire);
        }
    }

    @Test
    void aCellBlockThatIsCutOffIsRefused() throws IOException {
        try (RawConnection wire = RawConnection.opened(port())) {
            ClientProtos.MutateRequest put = ClientProtos.MutateRequest.newBuilder()
                    .setRegion(meta())
                    .setMutation(ClientProtos.MutationProto.newBuilder()
                            .setRow(ByteString.copyFromUtf8("row"))
                            .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                            .setAssociatedCellCount(3))
                    .build();
            byte[][] blocks = {{0, 0, 0, 100, 1, 2}, {0, 0}, {-1, -1, -1, -1}, {0, 0, 0, 4, 9, 9, 9, 9}, {}};
            int id = 0;
            for (byte[] block : blocks) {
                CellBlockMeta meta =
                        CellBlockMeta.newBuilder().setLength(block.length).build();
                wire.call(named(++id, "Mutate").setCellBlockMeta(meta).build(), put, block);
                ResponseHeader answer = wire.answer();
                assertThat(answer.getCallId()).isEqualTo(id);
                assertThat(answer.getException().getDoNotRetry()).isTrue();
            }
            CellBlockMeta longer = CellBlockMeta.newBuilder().setLength(1 << 30).build();
            wire.call(named(50, "Mutate").setCellBlockMeta(longer).build(), put, new byte[0]);
            assertThat(wire.answer().getException().getDoNotRetry()).isTrue();
            assertServes(wire);
        }
    }

    @Test
    void aRequestThatIsNoMessageIsRefused() throws IOException {
        try (RawConnection wire = RawConnection.opened(port())) {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            named(3, "Get").build().writeDelimitedTo(frame);
            frame.write(new byte[] {5, -1, -1, -1, -1, -1});
            wire.out().writeInt(frame.size());
            frame.writeTo(wire.out());
            assertThat(wire.answer().getCallId()).isEqualTo(3);
            assertServes(wire);
        }
    }

    @Test
    void otherPreamblesAndHeadersEndTheConnection() throws IOException {
        byte[][] starts = {
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            {'H', 'B', 'a', 's', 9, 80},
            {'H', 'B', 'a', 's', 0, 81},
            {'H', 'B', 'a', 's', 0, 80, 0, 0, 0, 3, -1, -1, -1},
            {'H', 'B', 'a', 's', 0, 80, -1, -1, -1, -1},
            {'H', 'B', 'a', 's', 0, 80, 127, -1, -1, -1}
        };
        for (byte[] start : starts) {
            try (RawConnection wire = new RawConnection(port())) {
                wire.out().write(start);
                wire.out().write(new byte[100_000]);
                wire.awaitEnd();
            } catch (java.net.SocketException reset) {
                assertThat(reset).isNotNull();
            }
        }
        try (RawConnection wire = RawConnection.opened(port())) {
            assertServes(wire);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoSuchService", "org.apache.hadoop.hbase.codec.NoSuchCodec", "java.lang.String"})
    void unknownServicesAndCodecsAreNamed(String name) throws IOException {
        try (RawConnection wire = new RawConnection(port())) {
            wire.out().write(new byte[] {'H', 'B', 'a', 's', 0, 80});
            boolean service = !name.contains(".");
            wire.header(service ? name : "ClientService", service ? "" : name);
            ResponseHeader answer = wire.answer();
            assertThat(answer.getException().getStackTrace()).contains(name);
            wire.awaitEnd();
        }
    }

    @Test
    void beyondTheBoundOfConnectionsNobodyIsServed() throws Exception {
        // Connections of other tests may still be closing.
        Await.until("all connections are closed", () -> served.face().connectionCount() == 0);
        RawConnection[] open = new RawConnection[8];
        try {
            for (int i = 0; i < open.length; i++) {
                open[i] = RawConnection.opened(port());
                assertServes(open[i]);
            }
            try (RawConnection beyond = new RawConnection(port())) {
                assertThat(beyond.answer().getException().getStackTrace()).contains("8 connections");
                beyond.awaitEnd();
            }
        } finally {
            for (RawConnection wire : open) {
                if (wire != null) {
                    wire.close();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomBytesNeverStopTheServer(long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            try (RawConnection wire = RawConnection.opened(port())) {
                byte[] noise = new byte[1 + random.nextInt(300)];
                random.nextBytes(noise);
                wire.out().writeInt(noise.length);
                wire.out().write(noise);
                wire.endOutput();
                wire.awaitEnd();
            }
        }
        try (RawConnection wire = RawConnection.opened(port())) {
            assertServes(wire);
        }
    }

    /** Calls that were right before some of their bytes were changed, or their end was lost. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void damagedCallsNeverStopTheServer(long seed) throws IOException {
        Random random = new Random(seed);
        RawConnection wire = RawConnection.opened(port());
        try {
            for (int round = 0; round < 100; round++) {
                byte[] frame = damaged(CALLS.get(random.nextInt(CALLS.size())), random);
                if (!servesAfter(frame, wire)) {
                    wire.close();
                    wire = RawConnection.opened(port());
                }
            }
        } finally {
            wire.close();
        }
        try (RawConnection after = RawConnection.opened(port())) {
            assertServes(after);
        }
    }

    private static byte[] damaged(byte[] call, Random random) {
        byte[] damaged =
                random.nextInt(4) == 0 ? Arrays.copyOf(call, 1 + random.nextInt(call.length - 1)) : call.clone();
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        return damaged;
    }

    /** Whether a right call behind the damaged one is answered; false when the connection was closed. */
    private static boolean servesAfter(byte[] damaged, RawConnection wire) {
        try {
            wire.out().writeInt(damaged.length);
            wire.out().write(damaged);
            wire.call(named(99_999, "Get").build(), get(), new byte[0]);
            ResponseHeader answer = wire.answer();
            while (answer.getCallId() != 99_999) {
                answer = wire.answer();
            }
            return true;
        } catch (EOFException | java.net.SocketException closed) {
            return false;
        } catch (IOException late) {
            throw new AssertionError("No answer, and no end of the connection", late);
        }
    }

    private static byte[] frame(RequestHeader header, Message request, byte[] cells) {
        try {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            header.writeDelimitedTo(frame);
            request.writeDelimitedTo(frame);
            frame.write(cells);
            return frame.toByteArray();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static final List<byte[]> CALLS = calls();

    private static List<byte[]> calls() {
        byte[] cell = new KeyValue(bytes("row"), bytes("f"), bytes("q"), 5, bytes("value")).getBuffer();
        byte[] block = java.nio.ByteBuffer.allocate(4 + cell.length)
                .putInt(cell.length)
                .put(cell)
                .array();
        CellBlockMeta meta = CellBlockMeta.newBuilder().setLength(block.length).build();
        ClientProtos.MutationProto put = ClientProtos.MutationProto.newBuilder()
                .setRow(ByteString.copyFromUtf8("row"))
                .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                .setAssociatedCellCount(1)
                .build();
        ClientProtos.RegionAction actions = ClientProtos.RegionAction.newBuilder()
                .setRegion(meta())
                .addAction(ClientProtos.Action.newBuilder().setIndex(0).setMutation(put))
                .addAction(ClientProtos.Action.newBuilder().setIndex(1).setGet(get().getGet()))
                .build();
        return List.of(
                frame(named(1, "Get").build(), get(), new byte[0]),
                frame(
                        named(2, "Mutate").setCellBlockMeta(meta).build(),
                        ClientProtos.MutateRequest.newBuilder()
                                .setRegion(meta())
                                .setMutation(put)
                                .build(),
                        block),
                frame(
                        named(3, "Multi").setCellBlockMeta(meta).build(),
                        ClientProtos.MultiRequest.newBuilder()
                                .addRegionAction(actions)
                                .build(),
                        block),
                frame(
                        named(4, "Scan").build(),
                        ClientProtos.ScanRequest.newBuilder()
                                .setRegion(meta())
                                .setScan(ClientProtos.Scan.newBuilder().setCaching(3))
                                .setNumberOfRows(3)
                                .build(),
                        new byte[0]));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
