package io.polytable.hbase.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.RawConnection;
import io.polytable.hbase.access.Identities;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import io.polytable.hbase.rpc.Services;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory budgets for requests and responses of all connections. */
class MemoryBudgetTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final int MEMORY = 1 << 20;
    private static final int MUCH = 700_000;

    /** More than the sockets of a connection hold. */
    private static final int HUGE = 48 << 20;

    private static final Duration STALL = Duration.ofSeconds(60);
    private static final Duration SHORT_STALL = Duration.ofSeconds(1);
    private static final String TOO_BIG = "CallQueueTooBigException";

    private final BlockingQueue<CompletableFuture<Answer>> held = new LinkedBlockingQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private RpcServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        start(STALL);
    }

    private void restart(Duration stall) throws IOException {
        server.close();
        start(stall);
    }

    private void start(Duration stall) throws IOException {
        server = new RpcServer(
                new WireOptions("127.0.0.1", Identities.trusting(Set.of()), 2, 10, 64 << 20, MEMORY, stall),
                NETWORK,
                new Sessions());
        port = server.listen("hbase", 0);
        RpcService service = new RpcService(
                "ClientService",
                List.of(List.<Method<?>>of(
                        Method.async("Hold", ClientProtos.GetRequest.parser(), this::hold),
                        Method.async(
                                "Change",
                                ClientProtos.GetRequest.parser(),
                                (get, call) -> valued(MUCH)
                                        .thenApply(answer -> answer.withFallback(MemoryBudgetTest::changed))),
                        Method.async("Large", ClientProtos.GetRequest.parser(), (get, call) -> valued(MUCH)),
                        Method.async("Huge", ClientProtos.GetRequest.parser(), (get, call) -> valued(HUGE)))));
        server.serve(
                new Services("cluster", List.of(service)), (name, method, nanos, failed) -> ended.incrementAndGet());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private CompletableFuture<Answer> hold(ClientProtos.GetRequest request, Call call) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        held.add(answer);
        return answer;
    }

    private static CompletableFuture<Answer> valued(int bytes) {
        ClientProtos.Result result = ClientProtos.Result.newBuilder()
                .addCell(org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos.Cell.newBuilder()
                        .setValue(ByteString.copyFrom(new byte[bytes])))
                .build();
        return CompletableFuture.completedFuture(Answer.of(
                ClientProtos.GetResponse.newBuilder().setResult(result).build()));
    }

    private static Answer changed() {
        return Answer.of(ClientProtos.GetResponse.newBuilder()
                .setResult(ClientProtos.Result.newBuilder().setExists(true))
                .build());
    }

    private static ClientProtos.GetRequest request(int bytes) {
        return ClientProtos.GetRequest.newBuilder()
                .setRegion(HBaseProtos.RegionSpecifier.newBuilder()
                        .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.EMPTY))
                .setGet(ClientProtos.Get.newBuilder().setRow(ByteString.copyFrom(new byte[bytes])))
                .build();
    }

    private static void call(RawConnection to, int id, String method, int bytes) throws IOException {
        to.call(RawConnection.named(id, method).build(), request(bytes), new byte[0]);
    }

    private CompletableFuture<Answer> nextHeld() throws InterruptedException {
        return java.util.Objects.requireNonNull(held.poll(20, TimeUnit.SECONDS));
    }

    /** Requests responses one after the other, at least so many and until one is unsent, and reads none. */
    private void leaveUnread(RawConnection by, String method, int calls) throws IOException {
        for (int id = 0; id < calls || server.unsentBytes() == 0; id++) {
            int before = ended.get();
            call(by, id, method, 1);
            Await.until("the call has ended", () -> ended.get() > before);
        }
    }

    @Test
    void aRequestForWhichThereIsNoMemoryIsPutOff() throws Exception {
        try (RawConnection one = RawConnection.opened(port);
                RawConnection other = RawConnection.opened(port)) {
            call(one, 1, "Hold", MUCH);
            CompletableFuture<Answer> first = nextHeld();
            call(other, 2, "Hold", MUCH);
            ResponseHeader refusal = other.answer();
            assertThat(refusal.getCallId()).isEqualTo(2);
            assertThat(refusal.getException().getExceptionClassName()).endsWith(TOO_BIG);
            assertThat(refusal.getException().getDoNotRetry()).isFalse();
            first.complete(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
            assertThat(one.answer().hasException()).isFalse();
            call(other, 3, "Hold", MUCH);
            nextHeld().complete(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
            assertThat(other.answer().hasException()).isFalse();
        }
    }

    @Test
    void aRequestThatIsLargerThanAllMemoryIsRefusedForEver() throws Exception {
        try (RawConnection one = RawConnection.opened(port)) {
            call(one, 1, "Hold", 2 * MEMORY);
            assertThat(one.answer().getException().getExceptionClassName()).endsWith("RequestTooBigException");
        }
    }

    @Test
    void answersThatNobodyReadsHoldTheirConnectionBack() throws Exception {
        int calls = 100;
        try (RawConnection one = RawConnection.opened(port)) {
            for (int id = 0; id < calls; id++) {
                call(one, id, "Large", 1);
            }
            int refused = 0;
            for (int id = 0; id < calls; id++) {
                ResponseHeader answer = one.answer();
                refused += answer.hasException() ? 1 : 0;
                assertThat(!answer.hasException()
                                || answer.getException().getExceptionClassName().endsWith(TOO_BIG))
                        .isTrue();
            }
            assertThat(refused).isBetween(1, calls - 1);
            call(one, calls, "Large", 1);
            assertThat(one.answer().hasException()).isFalse();
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsNobodyElseBack() throws Exception {
        try (RawConnection one = RawConnection.opened(port);
                RawConnection other = RawConnection.opened(port)) {
            leaveUnread(one, "Large", HUGE / MUCH);
            for (int id = 0; id < 20; id++) {
                call(other, id, "Large", MUCH);
                assertThat(other.answer().hasException()).isFalse();
            }
        }
    }

    @Test
    void answersThatDoNotFitAreRefusedUntilOthersAreGone() throws Exception {
        try (RawConnection other = RawConnection.opened(port)) {
            try (RawConnection one = RawConnection.opened(port)) {
                leaveUnread(one, "Huge", 1);
                call(other, 1, "Large", MUCH);
                assertThat(other.answer().getException().getExceptionClassName())
                        .endsWith(TOO_BIG);
                call(other, 2, "Hold", MUCH);
                nextHeld().complete(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
                assertThat(other.answer().hasException()).isFalse();
            }
            // A closed connection releases its memory a moment after it is no longer counted.
            AtomicInteger id = new AtomicInteger(3);
            Await.until("an answer fits", () -> !isRefused(other, id.getAndIncrement()));
        }
    }

    /** A client that is told to try again would do it twice. */
    @Test
    void whatACallHasChangedIsToldAlsoWhenThereIsNoMemory() throws Exception {
        try (RawConnection one = RawConnection.opened(port);
                RawConnection other = RawConnection.opened(port)) {
            leaveUnread(one, "Huge", 1);
            call(other, 1, "Change", 1);
            assertThat(other.answer(ClientProtos.GetResponse.parser())
                            .getResult()
                            .getExists())
                    .isTrue();
        }
    }

    private static boolean isRefused(RawConnection connection, int id) throws IOException {
        call(connection, id, "Large", MUCH);
        return connection.answer().hasException();
    }

    @Test
    void whatAStalledConnectionHeldIsFree() throws Exception {
        restart(SHORT_STALL);
        try (RawConnection one = RawConnection.opened(port);
                RawConnection half = RawConnection.opened(port)) {
            leaveUnread(one, "Huge", 1);
            half.out().writeInt(MEMORY);
            half.out().write(new byte[MUCH]);
            Await.until("the stalled connections are closed", () -> server.connectionCount() == 0);
            try (RawConnection other = RawConnection.opened(port)) {
                call(other, 1, "Large", MUCH);
                assertThat(other.answer().hasException()).isFalse();
            }
        }
    }

    /** More than one connection may have running. */
    @Test
    void aConnectionWithManyCallsIsReadOnWhenSomeHaveEnded() throws Exception {
        int calls = 2_000;
        try (RawConnection one = RawConnection.opened(port)) {
            for (int id = 0; id < calls; id++) {
                call(one, id, "Hold", 1);
            }
            for (int id = 0; id < calls; id++) {
                nextHeld().complete(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
            }
            for (int id = 0; id < calls; id++) {
                assertThat(one.answer().hasException()).isFalse();
            }
        }
    }

    @Test
    void aCallThatTakesLongIsNoStall() throws Exception {
        restart(SHORT_STALL);
        try (RawConnection one = RawConnection.opened(port)) {
            call(one, 1, "Hold", MUCH);
            CompletableFuture<Answer> slow = nextHeld();
            try (RawConnection half = RawConnection.opened(port)) {
                half.out().writeInt(MEMORY);
                // Its stall began later than the call.
                Await.until("the stalled connection is closed", () -> server.connectionCount() == 1);
            }
            slow.complete(Answer.of(ClientProtos.GetResponse.getDefaultInstance()));
            assertThat(one.answer().hasException()).isFalse();
        }
    }

    @Test
    void whatAnEndedConnectionHeldIsFree() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (RawConnection one = RawConnection.opened(port)) {
                one.out().writeInt(MEMORY);
                one.out().write(new byte[MUCH]);
                one.out().flush();
            }
        }
        try (RawConnection one = RawConnection.opened(port)) {
            // The server may not have heard of the end yet.
            AtomicInteger id = new AtomicInteger(1);
            Await.until("an answer fits", () -> !isRefused(one, id.getAndIncrement()));
        }
    }
}
