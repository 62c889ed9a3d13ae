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
import io.polytable.server.run.RunningStore;
import io.polytable.server.run.Server;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.LogReplay;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.engine.ScriptedLog;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A failing write to a log in files, as a black box: the server shuts down in order. */
@Timeout(60)
class FailedLogTest {
    @TempDir
    private Path directory;

    private final AtomicReference<ScriptedLog> log = new AtomicReference<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void connectionsCloseWithoutAReplyTheFrontendGoesAndHealthTells() throws Exception {
        Server server = Server.start(settings(), new Parts(new ScriptedOpener(), List.of(Frontends.redis())), () -> {});
        CompletableFuture<Void> failed = new CompletableFuture<>();
        server.onFailure(() -> failed.complete(null));
        int port = server.port("redis");
        assertThat(status(server, "/health")).isEqualTo(200);
        try (Socket idle = connect(port);
                Socket writer = connect(port)) {
            assertThat(say(writer, "SET kept 1")).contains("+OK");
            Optional.ofNullable(log.get()).orElseThrow().failAppend = true;
            assertThat(say(writer, "SET lost 2")).isEmpty();
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
        }
        failed.join();
        assertThat(status(server, "/health")).isEqualTo(503);
        assertThat(status(server, "/ready")).isEqualTo(503);
        assertThat(body(server, "/ready")).isEqualTo("failed\n");
        assertThatThrownBy(() -> connect(port)).isInstanceOf(ConnectException.class);
        assertThat(server.stop()).as("stopped as if nothing had been").isFalse();
        Server again = Server.start(settings(), Assembly.parts(), () -> {});
        try (Socket reader = connect(again.port("redis"))) {
            assertThat(say(reader, "EXISTS kept lost")).contains(":1");
        }
        assertThat(again.stop()).isTrue();
    }

    private Settings settings() {
        return ServerCatalog.load(
                List.of("--data.dir=" + directory, "--http.port=0", "--redis.port=0", "--hbase.enabled=false"),
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

    private int status(Server server, String path) throws IOException, InterruptedException {
        return get(server, path).statusCode();
    }

    private String body(Server server, String path) throws IOException, InterruptedException {
        return get(server, path).body();
    }

    private HttpResponse<String> get(Server server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Opens the store over a log with injected failures. */
    private final class ScriptedOpener implements EngineOpener {
        @Override
        public RunningStore open(Path store, Settings settings, Progress progress) {
            return StoreEngine.of(EmbeddedStore.open(
                    StoreDirectory.lock(store),
                    EngineOptions.DEFAULT.withMemory(16 << 20, 64 << 20),
                    path -> {
                        ScriptedLog scripted = new ScriptedLog(
                                FileLog.open(path, FileLogOptions.defaults().withSegmentBytes(1 << 20)));
                        log.set(scripted);
                        return scripted;
                    },
                    Recovery.Progress.NONE));
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
