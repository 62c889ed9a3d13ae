package io.polytable.server.echo;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingCatalog;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.Frontends;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.run.Parts;
import io.polytable.server.run.Server;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A new protocol takes part in everything that the server does for all of them, at the cost of a few lines. */
@Timeout(120)
class EchoTest {
    private static final int LINES_MAX = 250;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private Settings settings() {
        List<Setting<?>> all = new ArrayList<>(ServerCatalog.get().settings());
        all.addAll(new EchoOpener().settings());
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--echo.port=0",
                "--echo.connections.max=1",
                "--http.port=0",
                "--redis.enabled=false",
                "--hbase.enabled=false",
                "--memory.rows=32mb",
                "--memory.blocks=128mb",
                "--sql.memory=128mb");
        return Settings.load(new SettingCatalog(ServerSettings.DATA_DIR, all), words, Map.of());
    }

    private static Server start(Settings settings) {
        List<FrontendOpener> openers = new ArrayList<>(Frontends.all());
        openers.add(new EchoOpener());
        return Server.start(settings, new Parts(Assembly.parts().engine(), openers), () -> {});
    }

    private static Socket connect(Server server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port("echo"));
    }

    private static String ask(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine());
    }

    private static String http(HttpRequest.Builder request, Server server, String path)
            throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        return HTTP.send(request.uri(address).build(), BodyHandlers.ofString()).body();
    }

    private static String sql(Server server, String statement) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"" + statement + "\"}"));
        return http(request, server, "/v1/api/sql");
    }

    @Test
    void aProtocolIsServedShownCountedAndLimited() throws Exception {
        Settings settings = settings();
        Server server = start(settings);
        try (Socket client = connect(server)) {
            assertThat(ask(client, "hello")).isEqualTo("hello");
            assertThat(ask(client, "")).startsWith("ERR");
            assertThat(server.readyLine(1)).contains("echo=" + server.port("echo"));
            assertThat(sql(server, "SELECT line FROM echo_lines")).contains("[[\"hello\"]]");
            assertThat(http(HttpRequest.newBuilder(), server, "/metrics"))
                    .contains(
                            "polytable_echo_lines_total 1.0", "polytable_memory_share_bytes{share=\"echo.lines\"} 0.0");
            try (Socket second = connect(server)) {
                assertThat(second.getInputStream().read())
                        .as("beyond the limit")
                        .isEqualTo(-1);
            }
            settings.change(Map.of(EchoOpener.CONNECTIONS_MAX, "2"), "a test");
            Await.until("a second client is served", () -> isServed(server));
        } finally {
            assertThat(server.stop()).isTrue();
        }
    }

    private static boolean isServed(Server server) {
        try (Socket second = connect(server)) {
            return "again".equals(ask(second, "again"));
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void damagedRowsAreFoundAndRepaired() {
        try (MemoryStore store = new MemoryStore()) {
            EchoOpener opener = new EchoOpener();
            Settings settings = Settings.defaults(opener.settings());
            assertThat(opener.verify(store, settings, false, Progress.NONE)).isEmpty();
            EchoRows.of(store).put("good", "127.0.0.1:1");
            EchoRows.of(store).put("bad", "");
            assertThat(opener.verify(store, settings, false, Progress.NONE)
                            .orElseThrow()
                            .problems())
                    .containsExactly(Bytes.utf8("bad").toString());
            assertThat(opener.verify(store, settings, true, Progress.NONE)
                            .orElseThrow()
                            .text())
                    .isEqualTo("Checked 1 echoed lines, repaired 1");
        }
    }

    @Test
    void itCostsFewLinesBeforeTheFirstByteOfTheProtocol() throws IOException {
        Path sources = Path.of(System.getProperty("polytable.root", ".."))
                .resolve("server/src/test/java/io/polytable/server/echo");
        int lines = 0;
        for (String file : List.of("EchoOpener.java", "EchoFrontend.java", "EchoRows.java")) {
            lines += Files.readAllLines(sources.resolve(file)).size();
        }
        assertThat(lines).isLessThan(LINES_MAX);
    }
}
