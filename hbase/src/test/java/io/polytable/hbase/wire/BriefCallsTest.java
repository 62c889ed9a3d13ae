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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which calls run on the event loop: other clients wait for it. */
class BriefCallsTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final String LOOP = "net";
    private static final String WORKER = "hbase-call";

    private final BlockingQueue<String> threads = new LinkedBlockingQueue<>();
    private RpcServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new RpcServer(
                new WireOptions(
                        "127.0.0.1", Identities.trusting(Set.of()), 2, 10, 8 << 20, 16 << 20, Duration.ofSeconds(60)),
                NETWORK,
                new Sessions());
        port = server.listen("hbase", 0);
        Method<?> brief = Method.async("Brief", ClientProtos.GetRequest.parser(), (request, call) -> {
                    threads.add(Thread.currentThread().getName());
                    return CompletableFuture.completedFuture(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
                })
                .asBrief();
        RpcService service = new RpcService("ClientService", List.of(List.<Method<?>>of(brief)));
        server.serve(new Services("cluster", List.of(service)), (name, method, nanos, failed) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String threadOf(RawConnection connection, int id, int bytes) throws Exception {
        ClientProtos.GetRequest request = ClientProtos.GetRequest.newBuilder()
                .setRegion(HBaseProtos.RegionSpecifier.newBuilder()
                        .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.EMPTY))
                .setGet(ClientProtos.Get.newBuilder().setRow(ByteString.copyFrom(new byte[bytes])))
                .build();
        connection.call(RawConnection.named(id, "Brief").build(), request, new byte[0]);
        return String.valueOf(threads.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void aLargeRequestIsNotReadByTheConnectionsThread() throws Exception {
        try (RawConnection connection = RawConnection.opened(port)) {
            assertThat(threadOf(connection, 1, 100)).startsWith(LOOP);
            assertThat(threadOf(connection, 2, 1 << 20)).startsWith(WORKER);
        }
    }
}
