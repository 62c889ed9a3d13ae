package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.hbase.client.ClientLimits;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that no client of HBase sends: each gets a typed error or a closed connection, and the server goes on. */
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

    /** A connection on which bytes are written as they come to mind. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket;
        private final DataOutputStream out;
        private final DataInputStream in;

        Wire() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), served.face().regionServerPort());
            socket.setSoTimeout(20_000);
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        static Wire opened() throws IOException {
            Wire wire = new Wire();
            wire.out.write(new byte[] {'H', 'B', 'a', 's', 0, 80});
            wire.header("ClientService", "org.apache.hadoop.hbase.codec.KeyValueCodec");
            return wire;
        }

        void header(String service, String codec) throws IOException {
            byte[] header = ConnectionHeader.newBuilder()
                    .setServiceName(service)
                    .setUserInfo(UserInformation.newBuilder().setEffectiveUser("tester"))
                    .setCellBlockCodecClass(codec)
                    .build()
                    .toByteArray();
            out.writeInt(header.length);
            out.write(header);
        }

        void call(RequestHeader header, Message request, byte[] cells) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            header.writeDelimitedTo(frame);
            request.writeDelimitedTo(frame);
            frame.write(cells);
            out.writeInt(frame.size());
            frame.writeTo(out);
        }

        ResponseHeader answer() throws IOException {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            return ResponseHeader.parseDelimitedFrom(new java.io.ByteArrayInputStream(frame));
        }

        void awaitEnd() throws IOException {
            try {
                while (true) {
                    in.readByte();
                }
            } catch (EOFException | java.net.SocketException ended) {
                assertThat(ended).isNotNull();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static RequestHeader.Builder named(int id, String method) {
        return RequestHeader.newBuilder().setCallId(id).setMethodName(method).setRequestParam(true);
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

    private static void assertServes(Wire wire) throws IOException {
        wire.call(named(99, "Get").build(), get(), new byte[0]);
        ResponseHeader answer = wire.answer();
        assertThat(answer.getCallId()).isEqualTo(99);
        assertThat(answer.hasException()).isFalse();
    }

    @Test
    void anUnknownMethodIsTheCallsOwnMistake() throws IOException {
        try (Wire wire = Wire.opened()) {
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
        try (Wire wire = Wire.opened()) {
            RequestHeader header = named(8, "Mutate").build();
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            header.writeDelimitedTo(frame);
            frame.write(new byte[CALL_BYTES_MAX]);
            wire.out.writeInt(frame.size());
            frame.writeTo(wire.out);
            ResponseHeader answer = wire.answer();
            assertThat(answer.getCallId()).isEqualTo(8);
            assertThat(answer.getException().getExceptionClassName()).endsWith("RequestTooBigException");
            assertServes(wire);
        }
    }

    @Test
    void aCellBlockThatIsCutOffIsRefused() throws IOException {
        try (Wire wire = Wire.opened()) {
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
        try (Wire wire = Wire.opened()) {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            named(3, "Get").build().writeDelimitedTo(frame);
            frame.write(new byte[] {5, -1, -1, -1, -1, -1});
            wire.out.writeInt(frame.size());
            frame.writeTo(wire.out);
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
            try (Wire wire = new Wire()) {
                wire.out.write(start);
                wire.out.write(new byte[100_000]);
                wire.awaitEnd();
            } catch (java.net.SocketException reset) {
                assertThat(reset).isNotNull();
            }
        }
        try (Wire wire = Wire.opened()) {
            assertServes(wire);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoSuchService", "org.apache.hadoop.hbase.codec.NoSuchCodec", "java.lang.String"})
    void unknownServicesAndCodecsAreNamed(String name) throws IOException {
        try (Wire wire = new Wire()) {
            wire.out.write(new byte[] {'H', 'B', 'a', 's', 0, 80});
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
        for (int tries = 0; served.face().connectionCount() > 0 && tries < 200; tries++) {
            Thread.sleep(50);
        }
        Wire[] open = new Wire[8];
        try {
            for (int i = 0; i < open.length; i++) {
                open[i] = Wire.opened();
                assertServes(open[i]);
            }
            try (Wire beyond = new Wire()) {
                assertThat(beyond.answer().getException().getStackTrace()).contains("8 connections");
                beyond.awaitEnd();
            }
        } finally {
            for (Wire wire : open) {
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
            try (Wire wire = Wire.opened()) {
                byte[] noise = new byte[1 + random.nextInt(300)];
                random.nextBytes(noise);
                wire.out.writeInt(noise.length);
                wire.out.write(noise);
                wire.socket.shutdownOutput();
                wire.awaitEnd();
            }
        }
        try (Wire wire = Wire.opened()) {
            assertServes(wire);
        }
    }
}
