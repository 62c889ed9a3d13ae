package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A user of Redis' ACL and a user of SQL with the same name are one user. */
@Timeout(120)
class OneUserTest {
    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // before each test
    private Server server;

    @SuppressWarnings("NullAway.Init") // before each test
    private LoginClient client;

    private String root = "";

    @BeforeEach
    void serve() throws IOException, InterruptedException {
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--redis.requirepass=secret",
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb");
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
        client = LoginClient.of(server.httpPort());
        root = client.login("root", "secret").access();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private RedisClient redis(String user, String password) throws IOException {
        RedisClient redis = new RedisClient(server.port("redis"));
        assertThat(redis.ask("AUTH", user, password)).isEqualTo("OK");
        return redis;
    }

    private void acl(String... words) throws IOException {
        try (RedisClient redis = redis("default", "secret")) {
            assertThat(redis.ask(words)).doesNotStartWith("-");
        }
    }

    private int login(String password) throws IOException, InterruptedException {
        return client.post("/login", "{\"user\":\"ann\",\"password\":\"" + password + "\"}")
                .statusCode();
    }

    private String redisLogin(String password) throws IOException {
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            return redis.ask("AUTH", "ann", password);
        }
    }

    private static boolean isClosed(RedisClient redis) {
        try {
            return redis.ask("PING").isEmpty();
        } catch (IOException closed) {
            return true;
        }
    }

    @Test
    void aPasswordThatOneProtocolSetsIsThePasswordInAll() throws Exception {
        acl("ACL", "SETUSER", "ann", "on", ">pencil", "~*", "+@all");
        assertThat(login("pencil")).isEqualTo(200);
        assertThat(client.sql("ALTER USER ann PASSWORD 'chalk'", root)).isEqualTo(200);
        assertThat(login("pencil")).isEqualTo(401);
        assertThat(redisLogin("pencil")).startsWith("-WRONGPASS");
        assertThat(login("chalk")).isEqualTo(200);
        try (RedisClient ann = redis("ann", "chalk")) {
            assertThat(ann.ask("SET", "k", "v")).as("rules of Redis stay").isEqualTo("OK");
        }
        acl("ACL", "SETUSER", "ann", "resetpass", ">ink");
        assertThat(login("chalk")).isEqualTo(401);
        assertThat(redisLogin("chalk")).startsWith("-WRONGPASS");
        assertThat(login("ink")).isEqualTo(200);
        assertThat(redisLogin("ink")).isEqualTo("OK");
    }

    @Test
    void aUserThatOneProtocolRemovesIsGoneInAll() throws Exception {
        for (boolean byRedis : List.of(true, false)) {
            acl("ACL", "SETUSER", "ann", "on", ">pencil", "~*", "+@all");
            String token = client.login("ann", "pencil").access();
            assertThat(client.sql("SELECT 1", token)).isEqualTo(200);
            try (RedisClient open = redis("ann", "pencil")) {
                if (byRedis) {
                    acl("ACL", "DELUSER", "ann");
                } else {
                    assertThat(client.sql("DROP USER ann", root)).isEqualTo(200);
                }
                Await.until("Redis' connection ends", () -> isClosed(open));
            }
            assertThat(client.sql("SELECT 1", token)).isEqualTo(401);
            assertThat(redisLogin("pencil")).startsWith("-WRONGPASS");
        }
        assertThat(client.sql("CREATE USER ann PASSWORD 'pencil'", root)).isEqualTo(200);
        try (RedisClient again = redis("ann", "pencil")) {
            assertThat(again.ask("GET", "k")).as("rights of the old user").startsWith("-NOPERM");
        }
    }
}
