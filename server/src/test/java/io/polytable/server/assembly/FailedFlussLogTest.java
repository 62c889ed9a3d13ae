package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.Frontends;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.server.run.EngineOpener;
import io.polytable.server.run.Parts;
import io.polytable.server.run.ProjectionService;
import io.polytable.server.run.RunningStore;
import io.polytable.server.run.Server;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.LogReplay;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.engine.ScriptedLog;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.FlussLog;
import io.polytable.store.fluss.FlussLogOptions;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A failing write to a log in Fluss, as a black box: the server stops replying, reopens its store and serves again.
 */
@Timeout(120)
class FailedFlussLogTest {
    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void connectionsCloseWithoutAReplyTheFrontendGoesAndComesBack() throws Exception {
        int port = FreePort.find();
        try (FlussCluster cluster = FlussCluster.open(
                FlussSettings.of(TestCluster.shared().bootstrapServers()).withDatabase("failed_write"))) {
            ScriptedOpener opener = new ScriptedOpener(cluster);
            Server server = Server.start(settings(port), new Parts(opener, List.of(Frontends.redis())), () -> {});
            try (Socket idle = connect(port);
                    Socket writer = connect(port)) {
                assertThat(say(writer, "SET kept 1")).contains("+OK");
                opener.log().failAppend = true;
                assertThat(say(writer, "SET lost 2")).isEmpty();
                assertThat(idle.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(opener.reopening.await(60, TimeUnit.SECONDS)).isTrue();
            HttpResponse<String> ready = get(server, "/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).isEqualTo("rebuilding\n");
            assertThat(get(server, "/health").statusCode())
                    .as("the server heals by itself, nobody shall end it")
                    .isEqualTo(200);
            assertThatThrownBy(() -> connect(port)).isInstanceOf(ConnectException.class);
            opener.mayReopen.countDown();
            Await.until("the server is ready again", () -> get(server, "/ready").statusCode() == 200);
            try (Socket reader = connect(port)) {
                assertThat(say(reader, "EXISTS kept lost"))
                        .as("what was acknowledged, and no more")
                        .contains(":1");
                assertThat(say(reader, "SET after 3")).contains("+OK");
            }
            assertThat(server.stop()).isTrue();
        }
    }

    private Settings settings(int port) {
        return ServerCatalog.load(
                List.of("--data.dir=" + directory, "--http.port=0", "--hbase.enabled=false", "--redis.port=" + port),
                Map.of());
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** The reply's first line; empty when the connection was closed instead. */
    private static Optional<String> say(Socket socket, String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        return Optional.ofNullable(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }

    private HttpResponse<String> get(Server server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Opens the store over a log in Fluss with injected failures; a reopen waits for the test's permission. */
    private static final class ScriptedOpener implements EngineOpener {
        final CountDownLatch reopening = new CountDownLatch(1);
        final CountDownLatch mayReopen = new CountDownLatch(1);
        private final FlussCluster cluster;
        private volatile @Nullable ScriptedLog log;
        private Optional<Long> owner = Optional.empty();

        ScriptedOpener(FlussCluster cluster) {
            this.cluster = cluster;
        }

        ScriptedLog log() {
            return Optional.ofNullable(log).orElseThrow();
        }

        @Override
        public RunningStore open(Path store, Settings settings, Progress progress) {
            if (owner.isPresent()) {
                reopening.countDown();
                awaitLeave();
            }
            Engine engine = EmbeddedStore.open(
                    StoreDirectory.lock(store),
                    EngineOptions.DEFAULT.withMemory(16 << 20, 64 << 20),
                    path -> openLog(),
                    Recovery.Progress.NONE);
            return new StoreEngine(engine, List.of(engine), engine::close, true, ProjectionService.NONE);
        }

        private void awaitLeave() {
            try {
                mayReopen.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private ScriptedLog openLog() {
            FlussLog opened = FlussLog.open(cluster, FlussLogOptions.of(0).withFormerOwner(owner));
            owner = Optional.of(opened.owner());
            ScriptedLog scripted = new ScriptedLog(opened);
            log = scripted;
            return scripted;
        }

        @Override
        public void move(Path store, LogPlace to, Settings settings, Progress progress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Backup.Restored restore(
                Path backup, Path store, Map<String, Path> bases, Optional<LogReplay.Source> log) {
            throw new UnsupportedOperationException();
        }
    }
}
