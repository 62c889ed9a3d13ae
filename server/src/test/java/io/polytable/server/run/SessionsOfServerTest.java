package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sessions of all protocols, as SQL lists them, and their end. */
@Timeout(180)
class SessionsOfServerTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String LIST =
            "SELECT protocol, user_id, role, status, activity FROM system.sessions ORDER BY session_id";

    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // before each test
    private Server server;

    @BeforeEach
    void start() {
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb");
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    @AfterEach
    void stop() {
        assertThat(server.stop()).isTrue();
    }

    private JsonNode sql(String statement, String session) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of("sql", statement, "session_id", session));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return JSON.readTree(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }

    /** All but the session that asks. */
    private List<String> listed() throws IOException, InterruptedException {
        List<String> rows = new ArrayList<>();
        for (JsonNode row : sql(LIST, "").at("/results/0/rows")) {
            List<String> values = new ArrayList<>();
            row.forEach(value -> values.add(value.asText()));
            rows.add(String.join(" ", values));
        }
        assertThat(rows).contains("sql root system running " + LIST);
        rows.remove("sql root system running " + LIST);
        return rows;
    }

    @Test
    void everyClientIsListedUntilItLeaves() throws IOException, InterruptedException {
        assertThat(listed()).isEmpty();
        try (RedisClient redis = new RedisClient(server.port("redis"));
                Socket hbase = new Socket(InetAddress.getLoopbackAddress(), server.port("hbase"))) {
            hbase.getOutputStream().write("HBas\0P".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(redis.ask("SET", "k", "v")).isEqualTo("OK");
            Await.until("HBase's connection is listed", () -> listedNow().size() == 2);
            assertThat(listed())
                    .containsExactlyInAnyOrder("redis root system idle set", "hbase null anonymous idle null");
            String kept = sql("BEGIN", "new").at("/session_id").asText();
            assertThat(listed()).contains("sql root system idle BEGIN");
            assertThat(sql("ROLLBACK", kept).at("/status").asText()).isEqualTo("success");
            assertThat(listed()).contains("sql root system idle ROLLBACK");
        }
        Await.until("only the SQL session is left", () -> listedNow().size() == 1);
    }

    private List<String> listedNow() {
        try {
            return listed();
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
