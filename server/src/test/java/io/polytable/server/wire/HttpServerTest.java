package io.polytable.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.http.Cors;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.http.Routes;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.net.Network;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpServerTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final String HOST = " HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST_SLOW = "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
    private static final Budget BODIES = Budget.of("bodies", 64 << 20);
    private static final HttpLimits LIMITS =
            new HttpLimits(8, 2048, 1024, Duration.ofSeconds(30), Duration.ofSeconds(30));

    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private HttpServer server = start(LIMITS);

    @AfterEach
    void stop() {
        slowMayEnd.countDown();
        server.close();
    }

    @Test
    void answersAndKeepsTheConnection() throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get("/hello").body()).isEqualTo("hello you\n");
            assertThat(client.get("/hello?name=J%C3%BCrgen&name=other").body()).isEqualTo("hello Jürgen\n");
        }
    }

    @Test
    void pagesOfAllowedOriginsMaySendRequests() throws IOException {
        server.close();
        server = start(new HttpLimits(
                8,
                2048,
                1024,
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                0,
                new Cors(Set.of("https://app.example"))));
        String preflight =
                "OPTIONS /hello HTTP/1.1\r\nHost: h\r\nOrigin: %s\r\nAccess-Control-Request-Method: POST\r\n\r\n";
        try (RawClient client = connect()) {
            RawClient.Response allowed =
                    client.send(preflight.formatted("https://App.example")).read();
            assertThat(allowed.status()).isEqualTo(200);
            assertThat(allowed.headers())
                    .containsIgnoringCase("Access-Control-Allow-Origin: https://App.example")
                    .containsIgnoringCase("Access-Control-Allow-Headers: Authorization, Content-Type");
            RawClient.Response refused =
                    client.send(preflight.formatted("https://evil.example")).read();
            assertThat(refused.headers()).doesNotContainIgnoringCase("Access-Control-Allow-Origin");
            RawClient.Response page = client.send(
                            "GET /hello HTTP/1.1\r\nHost: h\r\nOrigin: https://app.example\r\n\r\n")
                    .read();
            assertThat(page.body()).isEqualTo("hello you\n");
            assertThat(page.headers())
                    .containsIgnoringCase("Access-Control-Allow-Origin: https://app.example")
                    .containsIgnoringCase("Vary: Origin");
            assertThat(client.get("/hello").headers()).doesNotContainIgnoringCase("Access-Control");
        }
    }

    @Test
    void aClientThatSendsTooMuchIsToldToWait() throws IOException {
        server.close();
        server = start(new HttpLimits(8, 2048, 1024, Duration.ofSeconds(30), Duration.ofSeconds(30), 1, Cors.NONE));
        try (RawClient client = connect()) {
            client.send(("GET /hello" + HOST).repeat(200));
            int refused = 0;
            for (int i = 0; i < 200; i++) {
                RawClient.Response answer = client.read();
                if (answer.status() == 429) {
                    refused++;
                    assertThat(answer.headers()).containsIgnoringCase("Retry-After: 1");
                }
            }
            assertThat(refused).isPositive();
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws IOException {
        try (RawClient client = connect()) {
            slowMayEnd.countDown();
            client.send(POST_SLOW + "GET /hello" + HOST + "GET /none" + HOST);
            assertThat(client.read().body()).isEqualTo("slow\n");
            assertThat(client.read().body()).isEqualTo("hello you\n");
            assertThat(client.read().status()).isEqualTo(404);
            client.send(("GET /none" + HOST).repeat(2000));
            for (int i = 0; i < 2000; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
        }
    }

    @Test
    void takesARequestInAnyPieces() throws IOException {
        String request = "GET /hello" + HOST;
        for (int at = 1; at < request.length(); at += 7) {
            try (RawClient client = connect()) {
                client.get("/hello");
                client.send(request.substring(0, at));
                // Another connection's answer comes after the loop has seen the first piece.
                try (RawClient other = connect()) {
                    other.get("/hello");
                }
                assertThat(client.send(request.substring(at)).read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aSlowAnswerDoesNotHoldUpOthers() throws IOException {
        try (RawClient slow = connect();
                RawClient quick = connect()) {
            slow.send(POST_SLOW);
            assertThat(quick.get("/hello").status()).isEqualTo(200);
            slowMayEnd.countDown();
            assertThat(slow.read().status()).isEqualTo(200);
        }
    }

    /** It closes its half of the connection: an answer that takes long comes all the same. */
    @Test
    void aClientThatSendsNothingMoreGetsItsAnswers() throws IOException {
        try (RawClient client = connect()) {
            client.send("POST /hold HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n" + "GET /hello" + HOST)
                    .endOutput();
            // What a client is asked by whether it is still there.
            assertThat(client.readHeaders()).startsWith("HTTP/1.1 100");
            slowMayEnd.countDown();
            String headers = client.readHeaders();
            while (headers.startsWith("HTTP/1.1 100")) {
                headers = client.readHeaders();
            }
            assertThat(headers).startsWith("HTTP/1.1 200");
            assertThat(client.read().body()).isEqualTo("hello you\n");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aClientThatLeftIsNoticedWhileItsAnswerIsComputed() throws IOException {
        try (RawClient client = connect()) {
            client.send("POST /leave HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
            Await.until("the request is being answered", () -> held.get() == 1);
        }
        Await.opened(gone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unfinished", "/failing"})
    void aStreamedBodyThatIsNotClosedBreaksTheConnection(String path) throws IOException {
        try (RawClient client = connect()) {
            client.send("GET " + path + HOST);
            assertThat(client.readHeaders()).startsWith("HTTP/1.1 200").contains("chunked");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws IOException {
        try (RawClient client = connect()) {
            client.send("HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.readHeaders()).startsWith("HTTP/1.1 200").contains("content-length: 10");
            assertThat(client.get("/hello").status()).isEqualTo(200);
        }
    }

    @Test
    void anUnknownPathIs404AndAWrongMethod405() throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get("/none").status()).isEqualTo(404);
            assertThat(client.get("/hello/").status()).isEqualTo(404);
            RawClient.Response wrong =
                    client.send("DELETE /hello HTTP/1.1\r\nHost: h\r\n\r\n").read();
            assertThat(wrong.status()).isEqualTo(405);
            assertThat(wrong.headers().toLowerCase(Locale.ROOT)).contains("allow: get");
            assertThat(client.get("/hello").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /hello\r\n\r\n",
                "GET /hello HTTP/9\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
                "*1\r\n$4\r\nPING\r\n\r\n",
                "GET /hello HTTP/1.1\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: h\r\nHost: evil\r\n\r\n",
                "GET /hello HTTP/1.1\r\nno colon\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http://elsewhere/ HTTP/1.1\r\nHost: h\r\n\r\n",
                "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
                "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void whatIsMalformedIs400AndEndsTheConnection(String request) throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.send(request).read().status()).isEqualTo(400);
            assertThat(client.isClosedByServer()).isTrue();
        }
        try (RawClient next = connect()) {
            assertThat(next.get("/hello").status()).isEqualTo(200);
        }
    }

    @Test
    void headersHaveALimit() throws IOException {
        try (RawClient client = connect()) {
            client.send("GET /hello HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(1900) + "\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);
            client.send("GET /hello HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(2100) + "\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(431);
        }
        try (RawClient client = connect()) {
            client.send("GET /" + "x".repeat(HttpLimits.LINE_BYTES_MAX) + " HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(414);
        }
    }

    @Test
    void bodiesHaveALimit() throws IOException {
        slowMayEnd.countDown();
        try (RawClient client = connect()) {
            client.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 1024\r\n\r\n" + "x".repeat(1024));
            assertThat(client.read().status()).isEqualTo(200);
            client.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 1025\r\n\r\n");
            RawClient.Response refused = client.read();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body()).contains("1024 bytes").contains("http.max.request.bytes");
        }
        try (RawClient client = connect()) {
            // Far more than the sockets buffer: the client must be able to send all of it before it reads.
            int length = 8 << 20;
            client.send(
                    "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length));
            assertThat(client.read().body()).contains("1024 bytes");
        }
        try (RawClient client = connect()) {
            client.send("POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" + "x".repeat(2048)
                    + "\r\n0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    @Test
    void connectionsHaveALimit() throws IOException {
        RawClient[] clients = new RawClient[LIMITS.connectionsMax()];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = connect().send("POST /hold HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
        }
        Await.until("all are being answered", () -> held.get() == clients.length);
        try (RawClient tooMany = connect()) {
            assertThat(tooMany.isClosedByServer()).isTrue();
        }
        slowMayEnd.countDown();
        for (RawClient client : clients) {
            assertThat(client.read().status()).isEqualTo(200);
            client.close();
        }
    }

    /** Bytes that have arrived are counted before the request is complete. */
    @Test
    void halfSentBodiesAreBoundedByThePlan() throws IOException {
        Budget bodies = Budget.of("bodies", 2000);
        server.close();
        server = start(LIMITS, bodies);
        slowMayEnd.countDown();
        String half = "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(900);
        try (RawClient first = connect().send(half);
                RawClient second = connect().send(half)) {
            Await.until("both are counted", () -> bodies.heldBytes() == 1800);
            try (RawClient third = connect().send(half)) {
                RawClient.Response refused = third.read();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.body()).contains("memory");
            }
            // An answer arrives before the bytes of its request are given back.
            Await.until("the refused one is not counted", () -> bodies.heldBytes() == 1800);
            assertThat(first.send("x".repeat(100)).read().status()).isEqualTo(200);
            Await.until("the second one is counted alone", () -> bodies.heldBytes() == 900);
            assertThat(second.send("x".repeat(50)).send("x".repeat(50)).read().status())
                    .isEqualTo(200);
            Await.until("none is counted", () -> bodies.heldBytes() == 0);
            assertThat(first.send(half + "x".repeat(100)).read().status()).isEqualTo(200);
            first.send(half);
            Await.until("a part is counted", () -> bodies.heldBytes() == 900);
        }
        Await.until("nothing is held for clients that have left", () -> bodies.heldBytes() == 0);
    }

    /** Whoever sends a whole request is answered, however many others never do. */
    @Test
    void halfSentRequestsGiveWay() throws IOException {
        int times = 5;
        RawClient[] halves = new RawClient[times * LIMITS.connectionsMax()];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = connect().send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{");
            try (RawClient client = connect()) {
                assertThat(client.get("/hello").status()).isEqualTo(200);
            }
        }
        for (int i = 0; i < halves.length - LIMITS.connectionsMax(); i++) {
            assertThat(halves[i].isClosedByServer()).isTrue();
        }
        for (RawClient half : halves) {
            half.close();
        }
    }

    @Test
    void slowAnswersHaveALimit() throws IOException {
        server.close();
        server = start(new HttpLimits(100, 2048, 1024, Duration.ofSeconds(30), Duration.ofSeconds(30)));
        int places = HttpLimits.SLOW_ANSWERS_MAX + HttpLimits.SLOW_ANSWERS_WAITING_MAX;
        RawClient[] clients = new RawClient[places + 1];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = connect().send(POST_SLOW);
        }
        // One event loop takes them in some order; whichever came last found no place.
        try (RawClient watcher = connect()) {
            assertThat(watcher.get("/hello").status()).isEqualTo(200);
        }
        slowMayEnd.countDown();
        int busy = 0;
        for (RawClient client : clients) {
            busy += client.read().status() == 503 ? 1 : 0;
            client.close();
        }
        assertThat(busy).isLessThanOrEqualTo(1);
    }

    @Test
    void aRequestHasToArriveInTime() throws IOException {
        server.close();
        server = start(new HttpLimits(8, 2048, 1024, Duration.ofMillis(100), Duration.ofSeconds(30)));
        try (RawClient client = connect()) {
            client.send("GET /hello HTTP/1.1\r\nHost:");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void anUnusedConnectionCloses() throws IOException {
        server.close();
        server = start(new HttpLimits(8, 2048, 1024, Duration.ofSeconds(30), Duration.ofMillis(100)));
        try (RawClient silent = connect();
                RawClient served = connect()) {
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(served.isClosedByServer()).isTrue();
        }
    }

    @Test
    void ourOwnMistakeIs500() throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get("/broken").status()).isEqualTo(500);
            assertThat(client.get("/hello").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/failed-slow", "/failed-streamed"})
    void anErrorIs500AndDoesNotLeaveTheClientWaiting(String path) throws IOException {
        try (RawClient client = connect()) {
            client.send("POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(500);
            assertThat(client.get("/hello").status()).isEqualTo(200);
        }
    }

    @Test
    void aTakenPortIsSaid() {
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
        assertThatThrownBy(() -> HttpServer.start(NETWORK, taken, LIMITS, () -> BODIES, new Routes(List.of()))
                        .close())
                .isInstanceOf(CannotListenException.class)
                .hasMessageContaining("in use");
    }

    private RawClient connect() throws IOException {
        return new RawClient(server.port());
    }

    private HttpServer start(HttpLimits limits) {
        return start(limits, BODIES);
    }

    private HttpServer start(HttpLimits limits, Budget bodies) {
        Routes routes = new Routes(List.of(
                Route.get(
                        "/hello",
                        call -> HttpReply.ok("hello " + call.parameter("name").orElse("you"))),
                Route.get("/broken", call -> {
                    throw new IllegalStateException("a mistake made on purpose");
                }),
                Route.slowPost("/failed-slow", call -> {
                    throw new AssertionError("a mistake made on purpose");
                }),
                Route.streamed(HttpMethod.POST, "/failed-streamed", (call, reply) -> {
                    throw new StackOverflowError("a mistake made on purpose");
                }),
                Route.slowPost("/slow", call -> {
                    awaitEnd();
                    return HttpReply.ok("slow");
                }),
                Route.streamed(HttpMethod.POST, "/hold", (call, reply) -> {
                    held.incrementAndGet();
                    awaitEnd();
                    reply.whole(200, HttpReply.PLAIN, new byte[0]);
                }),
                Route.streamed(HttpMethod.POST, "/leave", (call, reply) -> {
                    reply.whenGone(gone::countDown);
                    held.incrementAndGet();
                    awaitEnd();
                }),
                Route.streamed(HttpMethod.GET, "/unfinished", (call, reply) -> begin(reply)),
                Route.streamed(HttpMethod.GET, "/failing", (call, reply) -> {
                    begin(reply);
                    throw new IllegalStateException("a mistake made on purpose");
                })));
        return HttpServer.start(
                NETWORK, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits, () -> bodies, routes);
    }

    private static void begin(ReplyStream reply) {
        try {
            reply.begin(200, HttpReply.PLAIN).write(1);
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    private void awaitEnd() {
        try {
            slowMayEnd.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
