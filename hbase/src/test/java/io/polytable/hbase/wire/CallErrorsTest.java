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
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.junit.jupiter.api.Test;

/** A call that ends with an Error of Java is answered as any other that fails. */
class CallErrorsTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final int CALLS = 600;
    private static final List<String> NAMES = List.of("OnWorker", "OnLoop", "Later");

    private static Method<?> failing(String name) {
        return Method.of(name, ClientProtos.ScanRequest.parser(), (request, call) -> {
            throw new AssertionError("planned");
        });
    }

    /** Starts on the event loop and continues on a worker. */
    private static Method<?> failingLater(String name) {
        return Method.async(
                        name,
                        ClientProtos.ScanRequest.parser(),
                        (request, call) -> call.<Answer>later(() -> {
                            throw new AssertionError("planned");
                        }))
                .asBrief();
    }

    /** More calls than one connection may have running, so that each must give its place back. */
    @Test
    void anErrorIsAnsweredAndGivesItsPlaceBack() throws IOException {
        try (RpcServer server = new RpcServer(
                new WireOptions(
                        "127.0.0.1", Identities.trusting(Set.of()), 2, 10, 8 << 20, 16 << 20, Duration.ofSeconds(60)),
                NETWORK,
                new Sessions())) {
            int port = server.listen("hbase", 0);
            List<Method<?>> methods =
                    List.of(failing("OnWorker"), failing("OnLoop").asBrief(), failingLater("Later"));
            server.serve(
                    new Services("cluster", List.of(new RpcService("ClientService", List.of(methods)))),
                    (name, method, nanos, failed) -> {});
            try (RawConnection wire = RawConnection.opened(port)) {
                for (int id = 0; id < CALLS; id++) {
                    String method = NAMES.get(id % NAMES.size());
                    wire.call(
                            RawConnection.named(id, method).build(),
                            ClientProtos.ScanRequest.getDefaultInstance(),
                            new byte[0]);
                    ExceptionResponse failure = wire.answer().getException();
                    assertThat(failure.getExceptionClassName()).isEqualTo(DoNotRetryIOException.class.getName());
                    assertThat(failure.getStackTrace()).contains("planned");
                }
            }
        }
    }
}
