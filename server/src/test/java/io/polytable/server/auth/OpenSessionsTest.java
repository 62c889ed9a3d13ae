package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.Server;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One rule for this machine, and what a change of a user does to open sessions, in every protocol. */
@Timeout(180)
class OpenSessionsTest {
    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // by each test
    private Server server;

    @SuppressWarnings("NullAway.Init") // by each test
    private LoginClient client;

    private void serve(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
        client = LoginClient.of(server.httpPort());
    }

    @AfterEach
    void stop() {
        assertThat(server.stop()).isTrue();
    }

    private RedisClient redis() throws IOException {
        return new RedisClient(server.port("redis"));
    }

    /** HBase's own client, which states this name. */
    private Connection hbase(String user) throws IOException {
        Configuration configuration = HBaseConfiguration.create();
        String line = server.readyLine(0);
        int at = line.indexOf("zookeeper=") + "zookeeper=".length();
        configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
        configuration.set("hbase.zookeeper.property.clientPort", line.substring(at, line.indexOf(' ', at)));
        configuration.setInt("hbase.client.retries.number", 1);
        return ConnectionFactory.createConnection(
                configuration, null, User.create(UserGroupInformation.createRemoteUser(user)));
    }

    private void run(String statement, String token) throws IOException, InterruptedException {
        assertThat(client.sql(statement, token)).as(statement).isEqualTo(200);
    }

    private int anonymous() throws IOException, InterruptedException {
        return client.send("POST", "/v1/api/sql", "{\"sql\":\"SELECT 1\"}").statusCode();
    }

    @Test
    void thisMachineIsTrustedUntilTheFirstPasswordInEveryProtocol() throws Exception {
        serve();
        assertThat(anonymous()).isEqualTo(200);
        try (RedisClient before = redis();
                Connection connection = hbase("anybody");
                Admin admin = connection.getAdmin()) {
            assertThat(before.ask("PING")).isEqualTo("PONG");
            assertThat(admin.listNamespaces()).contains("default");
            assertThat(client.send("POST", "/v1/api/sql", "{\"sql\":\"CREATE USER ann ROLE dba PASSWORD 'pencil'\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(before.ask("PING")).as("open connections stay").isEqualTo("PONG");
        }
        assertThat(anonymous()).isEqualTo(401);
        try (RedisClient after = redis()) {
            assertThat(after.ask("PING")).startsWith("-NOAUTH");
            assertThat(after.ask("AUTH", "default", "")).startsWith("-WRONGPASS");
            assertThat(after.ask("AUTH", "ann", "pencil")).isEqualTo("OK");
            assertThat(after.ask("RESET")).isEqualTo("RESET");
            assertThat(after.ask("PING")).startsWith("-NOAUTH");
        }
        try (Connection connection = hbase("anybody");
                Admin admin = connection.getAdmin()) {
            assertThatThrownBy(admin::listNamespaces)
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("hbase.auth=certificate");
        }
        String ann = client.login("ann", "pencil").access();
        run("DROP USER IF EXISTS nobody", ann);
        assertThat(audited(ann)).contains("root user_added ann", " login default", "ann login ann");
    }

    @Test
    void tokensThatNeededNoPasswordEndWithTheTrust() throws Exception {
        serve("--hbase.enabled=false");
        String login = client.login("root", "").access();
        String token = client.json(client.post("/tokens", "{\"label\":\"early\"}"))
                .path("token")
                .asText();
        assertThat(client.sql("SELECT 1", login)).isEqualTo(200);
        run("CREATE USER ann ROLE system PASSWORD 'pencil'", token);
        assertThat(client.sql("SELECT 1", login)).isEqualTo(401);
        assertThat(client.sql("SELECT 1", token)).isEqualTo(401);
        run("ALTER USER root PASSWORD 'secret'", client.login("ann", "pencil").access());
        assertThat(client.sql("SELECT 1", login)).isEqualTo(401);
        assertThat(client.sql("SELECT 1", token)).isEqualTo(401);
        assertThat(client.sql("SELECT 1", client.login("root", "secret").access()))
                .isEqualTo(200);
    }

    private List<String> audited(String token) throws IOException, InterruptedException {
        JsonNode answer = client.json(client.statement(
                "SELECT user_id || ' ' || event || ' ' || object FROM system.audit_logs ORDER BY at", token));
        List<String> entries = new ArrayList<>();
        answer.at("/results/0/rows").forEach(row -> entries.add(row.get(0).asText()));
        return entries;
    }

    @Test
    void theAuditLogIsForAdministrators() throws Exception {
        serve("--hbase.enabled=false", "--redis.requirepass=secret");
        String root = client.login("root", "secret").access();
        run("CREATE USER ann PASSWORD 'pencil'", root);
        run("CREATE USER job ROLE service PASSWORD 'pencil'", root);
        run("CREATE USER dora ROLE dba PASSWORD 'pencil'", root);
        run("CREATE TABLE t (id INT PRIMARY KEY)", root);
        run("GRANT SELECT ON t TO ann", root);
        run("EXECUTE AS USER 'ann' (SELECT * FROM t)", root);
        assertThat(client.sql(
                        "SELECT * FROM system.audit_logs",
                        client.login("ann", "pencil").access()))
                .isEqualTo(403);
        assertThat(client.sql(
                        "SELECT * FROM system.audit_logs",
                        client.login("job", "pencil").access()))
                .isEqualTo(403);
        assertThat(audited(client.login("dora", "pencil").access()))
                .contains("root login default", "root grant ann", "root execute_as ann", "ann login ann");
        assertThat(client.sql("DELETE FROM system.audit_logs", root)).isNotEqualTo(200);
        assertThat(client.statement("SELECT * FROM system.audit_logs", root).body())
                .contains("127.0.0.1:")
                .doesNotContain("pencil", "scram", "secret");
    }

    @Test
    void aUserWhoIsLockedOrRemovedIsOutAtOnceInEveryProtocol() throws Exception {
        serve("--hbase.auth=simple", "--network.trusted", "--redis.requirepass=secret");
        String root = client.login("root", "secret").access();
        run("CREATE USER ann ROLE dba PASSWORD 'pencil'", root);
        for (String end : List.of("ALTER USER ann NOLOGIN", "DROP USER ann")) {
            run("ALTER USER ann LOGIN", root);
            try (RedisClient redis = redis();
                    Connection connection = hbase("ann");
                    Admin admin = connection.getAdmin()) {
                assertThat(redis.ask("AUTH", "ann", "pencil")).isEqualTo("OK");
                assertThat(redis.ask("PING")).startsWith("-NOPERM");
                admin.createNamespace(NamespaceDescriptor.create("of_ann").build());
                admin.deleteNamespace("of_ann");
                String token = client.login("ann", "pencil").access();
                JsonNode session = client.json(client.send(
                        "POST",
                        "/v1/api/sql",
                        "{\"sql\":\"BEGIN\",\"session_id\":\"new\"}",
                        "Authorization",
                        "Bearer " + token));
                assertThat(session.path("session_id").asText()).isNotEmpty();
                run(end, root);
                Await.until("Redis' connection ends", () -> isClosed(redis));
                assertThat(client.sql("SELECT 1", token)).isEqualTo(401);
                assertThatThrownBy(() -> admin.createNamespace(
                                NamespaceDescriptor.create("late").build()))
                        .isInstanceOf(AccessDeniedException.class);
                assertThat(client.json(client.statement(
                                        "SELECT count(*) FROM system.sessions WHERE user_id = 'ann'", root))
                                .at("/results/0/rows/0/0")
                                .asText())
                        .isEqualTo("0");
            }
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
    void beyondLoopbackSomebodyNeedsAPassword() {
        serve("--hbase.enabled=false");
        stop();
        assertThatThrownBy(() -> serve("--hbase.enabled=false", "--bind.address=0.0.0.0", "--network.trusted"))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("bind.address=0.0.0.0 would let the network in, and no user has a password");
        serve("--hbase.enabled=false", "--bind.address=0.0.0.0", "--network.trusted", "--redis.requirepass=secret");
    }
}
