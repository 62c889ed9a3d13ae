package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.auth.LoginClient;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.http.AdminToken;
import io.polytable.server.projection.RedisClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CONFIG, SHOW, SET and the settings file read and change the same values. */
@Timeout(180)
class SharedSettingsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // each test starts it
    private Server server;

    private void start(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--http.port=0",
                "--hbase.enabled=false",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    @AfterEach
    void stop() {
        assertThat(server.stop()).isTrue();
    }

    private HttpResponse<String> post(String statement, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(Map.of("sql", statement))));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private JsonNode sql(String statement) throws IOException, InterruptedException {
        return JSON.readTree(post(statement).body());
    }

    private String shown(String name) throws IOException, InterruptedException {
        return sql("SHOW " + name).at("/results/0/rows/0/0").asText();
    }

    @Test
    void aChangeOfOneProtocolIsSeenByAll() throws IOException, InterruptedException {
        start();
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("CONFIG", "SET", "maxclients", "77", "timeout", "300"))
                    .isEqualTo("OK");
            assertThat(shown("redis.maxclients")).isEqualTo("77");
            assertThat(shown("redis.timeout")).isEqualTo("5m");
            assertThat(sql("SET redis.maxclients = 88").at("/status").asText()).isEqualTo("success");
            assertThat(redis.ask("CONFIG", "GET", "maxclients")).contains("88");
            assertThat(sql("SELECT value FROM system.settings WHERE name = 'redis.maxclients'")
                            .at("/results/0/rows/0/0")
                            .asText())
                    .isEqualTo("88");
            assertThat(sql("RESET redis.maxclients").at("/status").asText()).isEqualTo("success");
            assertThat(redis.ask("CONFIG", "GET", "maxclients")).contains("10000");
        }
    }

    @Test
    void theLogLevelIsThatOfTheServer() throws IOException, InterruptedException {
        start("--log.level=error,io.polytable.sql=debug");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("CONFIG", "GET", "loglevel")).contains("warning");
            assertThat(redis.ask("CONFIG", "SET", "loglevel", "verbose")).isEqualTo("OK");
            assertThat(Logging.levels().text()).isEqualTo("debug");
            assertThat(shown("log.level")).isEqualTo("debug");
            assertThat(redis.ask("CONFIG", "SET", "loglevel", "loud"))
                    .contains("must be one of the following: debug, verbose, notice, warning, nothing");
            assertThat(sql("SET log.level = 'warn'").at("/status").asText()).isEqualTo("success");
            assertThat(redis.ask("CONFIG", "GET", "loglevel")).contains("warning");
        }
        assertThat(Logging.levels().text()).isEqualTo("warn");
    }

    @Test
    void slowRequestsOfAllProtocolsAreListed() throws IOException, InterruptedException {
        start("--log.slow=1ms", "--redis.enable-debug-command=yes");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            // Not DEBUG SLEEP, which waits without running.
            assertThat(redis.ask("EVAL", "for i = 1, 5000000 do end return 'slow'", "0"))
                    .isEqualTo("slow");
            assertThat(sql("SELECT sum(g * g) FROM generate_series(1, 2000000) t(g)")
                            .at("/status")
                            .asText())
                    .isEqualTo("success");
            assertThat(slow())
                    .containsSubsequence(
                            "sql request of user root from 127.0.0.1",
                            " ms: SELECT sum(g * g) FROM generate_series(1, 2")
                    .containsSubsequence("redis request of user default from 127.0.0.1:", " ms: \"EVAL\"");
            assertThat(redis.ask("AUTH", "secret")).contains("ERR");
            assertThat(sql("SET log.slow = '0'").at("/status").asText()).isEqualTo("success");
            String before = slow();
            assertThat(redis.ask("DEBUG", "POPULATE", "20000")).isEqualTo("OK");
            assertThat(slow()).isEqualTo(before).doesNotContain("secret");
        }
        assertThat(get("/slow").statusCode()).isEqualTo(401);
    }

    private String slow() throws IOException, InterruptedException {
        HttpResponse<String> listed = get("/slow", "Authorization", AdminToken.headerFor(directory));
        assertThat(listed.statusCode()).isEqualTo(200);
        return listed.body();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void whatWasRewrittenHoldsAfterARestart() throws IOException, InterruptedException {
        start();
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            redis.ask("CONFIG", "SET", "slowlog-log-slower-than", "-1", "hz", "20");
            redis.ask("CONFIG", "SET", "client-output-buffer-limit", "pubsub 1mb 0 0");
            assertThat(redis.ask("CONFIG", "REWRITE")).isEqualTo("OK");
            redis.ask("CONFIG", "SET", "maxclients", "99");
        }
        stop();
        start();
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("CONFIG", "GET", "slowlog-log-slower-than")).contains("-1");
            assertThat(redis.ask("CONFIG", "GET", "hz")).contains("20");
            assertThat(redis.ask("CONFIG", "GET", "client-output-buffer-limit"))
                    .contains("normal 0 0 0 slave 268435456 67108864 60 pubsub 1048576 0 0");
            assertThat(redis.ask("CONFIG", "GET", "maxclients")).contains("10000");
        }
        assertThat(shown("redis.hz")).isEqualTo("20");
    }

    @Test
    void aPasswordHoldsForEveryProtocol() throws IOException, InterruptedException {
        start();
        assertThat(sql("SET redis.requirepass = 'secret'").at("/status").asText())
                .isEqualTo("success");
        assertThat(post("SELECT 1").statusCode()).isEqualTo(401);
        assertThat(post(
                                "SHOW redis.requirepass",
                                "Authorization",
                                "Bearer "
                                        + LoginClient.of(server.httpPort())
                                                .login("root", "secret")
                                                .access())
                        .body())
                .contains("***")
                .doesNotContain("secret");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("AUTH", "secret")).isEqualTo("OK");
            assertThat(redis.ask("CONFIG", "SET", "requirepass", "")).isEqualTo("OK");
        }
        assertThat(sql("SELECT 1").at("/status").asText()).isEqualTo("success");
    }

    @ParameterizedTest
    @CsvSource({
        "SET redis.maxclients = 0, 22023",
        "SET redis.port = 1, 0A000",
        "BEGIN; SET LOCAL redis.maxclients = 5, 25001",
        "SHOW redis.maxclents, 42704"
    })
    void refusesWhatCannotBe(String statement, String code) throws IOException, InterruptedException {
        start();
        assertThat(sql(statement).at("/error/details/sqlstate").asText())
                .as(sql(statement).toString())
                .isEqualTo(code);
    }

    @Test
    void fewerDatabasesCanBeSelected() throws IOException {
        start("--redis.databases=4");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("CONFIG", "GET", "databases")).contains("4");
            assertThat(redis.ask("SELECT", "3")).isEqualTo("OK");
            assertThat(redis.ask("SELECT", "4")).contains("DB index is out of range");
            redis.ask("SET", "k", "v");
            assertThat(redis.ask("COPY", "k", "k2", "DB", "4")).contains("DB index is out of range");
            assertThat(redis.ask("SWAPDB", "0", "4")).contains("DB index is out of range");
        }
    }
}
