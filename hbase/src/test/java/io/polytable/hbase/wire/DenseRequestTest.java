package io.polytable.hbase.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.RawConnection;
import io.polytable.hbase.access.Identities;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import io.polytable.hbase.rpc.Services;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request whose every second byte becomes an object is refused before it is decoded. */
class DenseRequestTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final int MEMORY = 2 << 20;

    private RpcServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new RpcServer(
                new WireOptions(
                        "127.0.0.1", Identities.trusting(Set.of()), 2, 10, 64 << 20, MEMORY, Duration.ofSeconds(60)),
                NETWORK,
                new Sessions());
        port = server.listen("hbase", 0);
        RpcService service = new RpcService(
                "ClientService",
                List.of(List.<Method<?>>of(Method.async(
                        "Multi",
                        ClientProtos.MultiRequest.parser(),
                        (request, call) -> CompletableFuture.completedFuture(
                                Answer.of(ClientProtos.MultiResponse.getDefaultInstance()))))));
        server.serve(new Services("cluster", List.of(service)), (name, method, nanos, failed) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void manyPartsOfTwoBytesAreTooMany() throws IOException {
        ClientProtos.MultiRequest.Builder dense = ClientProtos.MultiRequest.newBuilder();
        for (int i = 0; i < 100_000; i++) {
            dense.addRegionAction(ClientProtos.RegionAction.getDefaultInstance());
        }
        try (RawConnection wire = RawConnection.opened(port)) {
            wire.call(RawConnection.named(1, "Multi").build(), dense.buildPartial(), new byte[0]);
            assertThat(wire.answer().getException().getExceptionClassName()).endsWith("RequestTooBigException");
        }
    }

    /** As the usual client sends them: the cells come behind. */
    @Test
    void manySmallChangesAreNot() throws IOException {
        ClientProtos.RegionAction.Builder actions = ClientProtos.RegionAction.newBuilder()
                .setRegion(HBaseProtos.RegionSpecifier.newBuilder()
                        .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.copyFromUtf8("region")));
        for (int i = 0; i < 20_000; i++) {
            actions.addAction(ClientProtos.Action.newBuilder()
                    .setIndex(i)
                    .setMutation(ClientProtos.MutationProto.newBuilder()
                            .setRow(ByteString.copyFromUtf8("row" + i))
                            .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                            .setDurability(ClientProtos.MutationProto.Durability.USE_DEFAULT)
                            .setAssociatedCellCount(1)));
        }
        byte[] cells = new byte[20_000 * 50];
        CellBlockMeta block = CellBlockMeta.newBuilder().setLength(cells.length).build();
        try (RawConnection wire = RawConnection.opened(port)) {
            for (int id = 1; id <= 5; id++) {
                wire.call(
                        RawConnection.named(id, "Multi").setCellBlockMeta(block).build(),
                        ClientProtos.MultiRequest.newBuilder()
                                .addRegionAction(actions)
                                .build(),
                        cells);
                assertThat(wire.answer().hasException()).as("call %d", id).isFalse();
            }
        }
    }
}
