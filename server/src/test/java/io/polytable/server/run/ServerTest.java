package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.server.http.AdminToken;
import io.polytable.store.Backup;
import io.polytable.store.LogReplay;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerTest {
    @TempDir
    private Path directory;

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private volatile Optional<String> failure = Optional.empty();
    private Optional<String> writeRefusal = Optional.empty();
    private List<String> damagedTables = List.of();
    private volatile boolean healedByReopening;
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void startsInOrderAndStopsInReverse() {
        Server server = Server.start(settings(), parts(new RecordedFrontend()), () -> {});
        assertThat(server.readyLine(12))
                .isEqualTo("polytable ready redis=6379 http=" + server.httpPort() + " data=" + directory + " in 12 ms");
        assertThat(server.stop()).isTrue();
        assertThat(events).containsExactly("engine open", "frontend open", "frontend close", "engine close");
    }

    @Test
    void aFaceThatIsOffDoesNotRun() {
        Server server = Server.start(settings("--redis.enabled=false"), parts(new RecordedFrontend()), () -> {});
        assertThat(server.readyLine(1)).startsWith("polytable ready http=");
        server.stop();
        assertThat(events).containsExactly("engine open", "engine close");
    }

    @Test
    void aStartThatFailsLeavesNothingOpen() {
        assertThatThrownBy(() -> Server.start(settings(), parts(new PortlessFrontend()), () -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Cannot listen on 127.0.0.1 port 6379 (taken); redis.port chooses another");
        // HTTP is still there, and was never told of the engine.
        assertThat(events).containsExactly("engine open", "engine close before HTTP");
        DataDirectory.holdExisting(directory).orElseThrow().close();
    }

    @Test
    void anAddressOfAnotherMachineIsNamedAsTheReason() {
        // A network for documentation (RFC 5737): no machine has its addresses.
        assertThatThrownBy(() ->
                        Server.start(settings("--bind.address=192.0.2.1"), parts(new RecordedFrontend()), () -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage("bind.address=192.0.2.1 is not an address of this machine; set it to one that is, or to"
                        + " 0.0.0.0 for all of them");
        DataDirectory.holdExisting(directory).orElseThrow().close();
    }

    @Test
    void aStartThatFailsWithAnErrorLeavesNothingOpen() {
        assertThatThrownBy(() -> Server.start(settings(), parts(new UnlinkedFrontend()), () -> {}))
                .isInstanceOf(UnsatisfiedLinkError.class);
        assertThat(events).containsExactly("engine open", "engine close before HTTP");
        DataDirectory.holdExisting(directory).orElseThrow().close();
    }

    @Test
    void aFaceThatFailsToCloseDoesNotKeepTheEngineOpen() {
        Server server = Server.start(settings(), parts(new UnclosableFrontend()), () -> {});
        assertThat(server.stop()).isFalse();
        assertThat(events).endsWith("engine close");
        DataDirectory.holdExisting(directory).orElseThrow().close();
    }

    @Test
    void oneServerForADirectory() {
        Server server = Server.start(settings(), parts(new RecordedFrontend()), () -> {});
        assertThatThrownBy(() -> Server.start(settings(), parts(new RecordedFrontend()), () -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Another server (process " + ProcessHandle.current().pid() + ") uses the data directory "
                        + directory);
        server.stop();
    }

    @Test
    void tellsHowItIs() throws IOException, InterruptedException {
        Server server = Server.start(settings(), parts(new RecordedFrontend()), () -> {});
        assertThat(send(server, "GET", "/health", "").body()).isEqualTo("ok\n");
        assertThat(send(server, "GET", "/ready", "").statusCode()).isEqualTo(200);
        writeRefusal = Optional.of("no space");
        assertThat(send(server, "GET", "/ready", "").statusCode()).isEqualTo(503);
        assertThat(send(server, "GET", "/ready", "").body()).isEqualTo("read-only: no space\n");
        assertThat(send(server, "GET", "/health", "").body()).isEqualTo("ok\nWrites are refused: no space\n");
        writeRefusal = Optional.empty();
        damagedTables = List.of("shop.orders");
        assertThat(send(server, "GET", "/health", "").body()).isEqualTo("ok\nDamaged and read-only: shop.orders\n");
        assertThat(send(server, "GET", "/ready", "").statusCode()).isEqualTo(200);
        failure = Optional.of("the disk is gone");
        assertThat(send(server, "GET", "/health", "").statusCode()).isEqualTo(503);
        assertThat(send(server, "GET", "/health", "").body()).isEqualTo("the disk is gone\n");
        assertThat(send(server, "GET", "/metrics", "").body())
                .contains(
                        "polytable_ready 1.0\n",
                        "polytable_http_requests_total{path=\"/health\",status=\"200\"} 3.0\n");
        server.stop();
    }

    @Test
    void administrationNeedsTheToken() throws IOException, InterruptedException {
        Server server = Server.start(settings(), parts(new RecordedFrontend()), () -> {});
        String token = AdminToken.headerFor(directory);
        assertThat(send(server, "POST", "/admin/check", "").statusCode()).isEqualTo(401);
        assertThat(send(server, "POST", "/admin/check", "Bearer guess").statusCode())
                .isEqualTo(401);
        assertThat(send(server, "GET", "/admin/check", token).statusCode()).isEqualTo(405);
        assertThat(send(server, "POST", "/admin/check", token).body()).isEqualTo("all is well\nnothing to see\n");
        assertThat(send(server, "POST", "/admin/backup?target=relative", token).statusCode())
                .isEqualTo(400);
        assertThat(send(server, "POST", "/admin/backup?target=/refused", token).body())
                .isEqualTo("no space at /refused\n");
        server.stop();
    }

    private HttpResponse<String> send(Server server, String method, String path, String authorization)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Authorization", authorization)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Settings settings(String... more) {
        List<String> words = new ArrayList<>(List.of("--data.dir=" + directory, "--http.port=0"));
        words.addAll(List.of(more));
        return ServerCatalog.load(words, Map.of());
    }

    @Test
    void anEngineThatIsHealedByReopeningIsOpenedAgain() throws InterruptedException {
        healedByReopening = true;
        Server server = Server.start(settings(), parts(new RecordedFrontend()), () -> {});
        failure = Optional.of("the log failed");
        Await.until(
                "the engine is opened again",
                () -> events.stream().filter("engine open"::equals).count() >= 2);
        failure = Optional.empty();
        server.stop();
        assertThat(events)
                .startsWith(
                        "engine open",
                        "frontend open",
                        "frontend close",
                        "engine close before HTTP",
                        "engine open",
                        "frontend open")
                .endsWith("frontend close", "engine close");
    }

    private Parts parts(FrontendOpener opener) {
        return new Parts(new RecordedEngineOpener(), List.of(opener));
    }

    private final class RecordedEngineOpener implements EngineOpener {
        @Override
        public RunningStore open(Path store, Settings settings, Progress progress) {
            return new RecordedEngine();
        }

        @Override
        public void move(Path store, LogPlace to, Settings settings, Progress progress) {
            events.add("engine move");
        }

        @Override
        public Backup.Restored restore(
                Path backup, Path store, Map<String, Path> bases, Optional<LogReplay.Source> log) {
            events.add("engine restore");
            return new Backup.Restored(true, 0, List.of(), List.of());
        }
    }

    private final class RecordedEngine implements RunningStore {
        private final TableStore store = new MemoryStore();

        RecordedEngine() {
            events.add("engine open");
        }

        @Override
        public TableStore store() {
            return store;
        }

        @Override
        public Optional<String> failure() {
            return failure;
        }

        @Override
        public Optional<String> writeRefusal() {
            return writeRefusal;
        }

        @Override
        public List<String> damagedTables() {
            return damagedTables;
        }

        @Override
        public boolean isHealedByReopening() {
            return healedByReopening;
        }

        @Override
        public ProjectionService projection() {
            return ProjectionService.NONE;
        }

        @Override
        public Findings check() {
            return new Findings("all is well", List.of());
        }

        @Override
        public Backup.Written backup(Backup.Request request) {
            throw new RefusedException("no space at " + request.target());
        }

        @Override
        public void sample(MetricSink sink) {}

        @Override
        public void close() {
            events.add(isHttpOpen() ? "engine close before HTTP" : "engine close");
        }

        private boolean isHttpOpen() {
            try {
                ServerFile server = ServerFile.read(directory).orElseThrow();
                new Socket(server.host(), server.httpPort()).close();
                return true;
            } catch (IOException closed) {
                return false;
            }
        }
    }

    private class RecordedFrontend implements FrontendOpener, Frontend {
        @Override
        public List<Setting<?>> settings() {
            return RedisSettings.all();
        }

        @Override
        public Setting<Boolean> enabled() {
            return RedisSettings.ENABLED;
        }

        @Override
        public Optional<Setting<Integer>> port(String listener) {
            return Optional.of(RedisSettings.PORT);
        }

        @Override
        public Frontend open(FrontendContext context) throws IOException {
            events.add("frontend open");
            return this;
        }

        @Override
        public Optional<Findings> verify(TableStore store, Settings settings, boolean repair, Progress progress) {
            return Optional.of(new Findings("nothing to see", List.of()));
        }

        @Override
        public String name() {
            return "redis";
        }

        @Override
        public List<Port> ports() {
            return List.of(new Port("redis", 6379));
        }

        @Override
        public void close() {
            events.add("frontend close");
        }
    }

    private final class UnlinkedFrontend extends RecordedFrontend {
        @Override
        public Frontend open(FrontendContext context) {
            throw new UnsatisfiedLinkError("no library");
        }
    }

    private final class UnclosableFrontend extends RecordedFrontend {
        @Override
        public void close() {
            throw new AssertionError("a mistake made on purpose");
        }
    }

    private final class PortlessFrontend extends RecordedFrontend {
        @Override
        public Frontend open(FrontendContext context) {
            throw new CannotListenException(
                    "redis", new InetSocketAddress(InetAddress.getLoopbackAddress(), 6379), new BindException("taken"));
        }
    }
}
