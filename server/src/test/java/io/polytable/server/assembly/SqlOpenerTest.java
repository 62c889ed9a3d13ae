package io.polytable.server.assembly;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.ddl.DdlSession;
import io.polytable.entity.model.Permission;
import io.polytable.entity.uri.EntityUri;
import io.polytable.server.auth.LoginClient;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL on the HTTP port of a whole server, beside Redis. */
@Timeout(120)
class SqlOpenerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private Server start(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb",
                "--sql.memory=128mb"));
        words.addAll(List.of(more));
        return Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    private static HttpResponse<String> post(Server server, String sql, String... headers)
            throws IOException, InterruptedException {
        String body =
                "{\"sql\": \"" + sql.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"}";
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** Nobody will read the answer, and the session of the next request is free again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) FROM range(10000000) AS a(i), range(10000000) AS b(j) WHERE i % 7 = j % 5",
                "CREATE TABLE many AS SELECT i FROM range(1000000000) AS r(i)"
            })
    void aStatementEndsWhenItsClientLeaves(String statement) throws Exception {
        Server server = start("--sql.statement.timeout=1h");
        try {
            String body = "{\"sql\": \"" + statement + "\"}";
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.httpPort())) {
                socket.getOutputStream()
                        .write(("POST /v1/api/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                        + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                                .getBytes(UTF_8));
                Await.until("the statement runs", () -> running(server).contains(statement));
            }
            Await.until("the statement has ended", () -> !running(server).contains(statement));
        } finally {
            server.stop();
        }
    }

    private static String running(Server server) {
        try {
            return rows(server, "SELECT query FROM system.live_queries");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static String rows(Server server, String sql) throws IOException, InterruptedException {
        String body =
                post(server, sql, "Accept", "application/json; numbers=bare").body();
        assertThat(body).as(sql).contains("\"status\":\"success\"");
        return body.substring(body.lastIndexOf("\"rows\":") + 7, body.lastIndexOf(",\"row_count\""));
    }

    @Test
    void whatRedisWroteIsAskedWithSql() throws Exception {
        Server server = start();
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            redis.ask("SET", "user:1", "ada");
            redis.ask("HSET", "user:2", "name", "bob", "age", "7");
            redis.ask("ZADD", "board", "100", "alice", "200", "bob");
            assertThat(rows(server, "SELECT redis_type, count(*) FROM redis_data GROUP BY 1 ORDER BY 1"))
                    .isEqualTo("[[\"hash\",2],[\"string\",1],[\"zset\",2]]");
            assertThat(rows(server, "SELECT value FROM redis_data WHERE redis_key = 'user:1'"))
                    .isEqualTo("[[\"ada\"]]");
            assertThat(rows(
                            server,
                            "SELECT redis_key FROM redis_data WHERE redis_key LIKE 'user:%' GROUP BY 1 ORDER BY 1"))
                    .isEqualTo("[[\"user:1\"],[\"user:2\"]]");
            assertThat(rows(server, "SELECT COUNT(*) FROM default.redis_zset_members"))
                    .isEqualTo("[[2]]");
            assertThat(rows(
                            server,
                            "SELECT\n  redis_key,\n  COUNT(*) as member_count\nFROM default.redis_zset_members\n"
                                    + "GROUP BY redis_key;"))
                    .isEqualTo("[[\"board\",2]]");
            assertThat(rows(server, "SHOW TABLES")).contains("[\"default\",\"redis_zset_members\",\"frontend\"]");
            orphans(server);
        }
        assertThat(server.stop()).isTrue();
    }

    /** The statements of the guide to the reverse index, letter by letter: the search for orphans, and what would write. */
    private static void orphans(Server server) throws IOException, InterruptedException {
        String inner = "SELECT redis_key,\n         SUBSTRING(sub_key, INSTR(sub_key, ':') + 1) as member\n"
                + "  FROM default.redis_data\n  WHERE redis_type = 'zset'";
        String where = "WHERE (redis_key, member) NOT IN (\n  " + inner + "\n)";
        assertThat(rows(server, inner + " ORDER BY 2")).isEqualTo("[[\"board\",\"alice\"],[\"board\",\"bob\"]]");
        assertThat(rows(server, "SELECT * FROM default.redis_zset_members\n" + where))
                .isEqualTo("[]");
        for (String write : List.of(
                "DELETE FROM default.redis_zset_members\n" + where + ";",
                "DELETE FROM default.redis_zset_members",
                "DROP TABLE default.redis_zset_members",
                "INSERT INTO redis_data (redis_key) VALUES ('x')",
                "UPDATE redis_data SET value = 'x' WHERE redis_key = 'user:1'")) {
            assertThat(post(server, write).body())
                    .as(write)
                    .contains("READ_ONLY")
                    .contains("Redis");
        }
        assertThat(post(
                                server,
                                "CREATE TABLE default.redis_zset_members (\n  redis_key STRING,\n  member STRING,\n"
                                        + "  score DOUBLE,\n  PRIMARY KEY (redis_key, member)\n);")
                        .body())
                .contains("\"status\":\"error\"")
                .contains("redis_zset_members");
    }

    @Test
    void redisTablesHaveTheNamesThatWereChosen() throws Exception {
        Server server = start(
                "--redis.table=app.everything",
                "--redis.zset.reverse.index.table=app.scores",
                "--redis.zset.lazy.index.population=false");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            redis.ask("ZADD", "board", "100", "alice");
            assertThat(rows(server, "SELECT member, score FROM app.scores")).isEqualTo("[[\"alice\",100.0]]");
            assertThat(rows(server, "SELECT count(*) FROM app.everything")).isEqualTo("[[1]]");
            assertThat(post(server, "DELETE FROM app.everything").body())
                    .contains("READ_ONLY")
                    .contains("Redis");
        }
        assertThat(server.stop()).isTrue();
        Server hidden = start("--redis.zset.reverse.index.enabled=false");
        try (RedisClient redis = new RedisClient(hidden.port("redis"))) {
            assertThat(redis.ask("ZSCORE", "board", "alice")).isEqualTo("100");
            assertThat(rows(hidden, "SHOW TABLES")).doesNotContain("redis_zset_members");
        }
        assertThat(hidden.stop()).isTrue();
    }

    @Test
    void entitiesAreAskedWithSqlUnderTheNamesOfTheirColumns() throws Exception {
        assertThat(start().stop()).isTrue();
        EntityUri uri = EntityUri.embedded(directory.resolve("store")).withInstance("demo");
        try (DdlSession ddl = new DdlSession(uri, new PrintWriter(new StringWriter()))) {
            ddl.run("CREATE INSTANCE demo; CREATE TABLE users ROW KEY FORMAT (city STRING, number INT)"
                    + " WITH LOCALITY GROUP g (MAXVERSIONS = 3, FAMILY info (name \"string\", logins COUNTER),"
                    + " MAP TYPE FAMILY tags \"string\");");
        }
        try (Instance instance = Entities.open(uri)) {
            EntityTable users = instance.table("users");
            users.writer().put(users.id("rome", 1), "info:name", 1, "ada");
            users.writer().put(users.id("rome", 1), "info:name", 2, "Ada");
            users.writer().put(users.id("rome", 2), "tags:t", 1, "x");
            users.writer().increment(users.id("oslo", 1), "info:logins", 4);
            instance.permissions().grant("ann", Optional.of("users"), Set.of(Permission.READ));
        }
        Server server = start("--hbase.enabled=true", "--hbase.port=0", "--hbase.master.port=0", "--zookeeper.port=0");
        assertThat(rows(
                        server,
                        "SELECT city, number, info_name, info_logins, tags FROM entity_demo.users ORDER BY 1, 2"))
                .isEqualTo("[[\"oslo\",1,null,4,null],[\"rome\",1,\"Ada\",null,null],"
                        + "[\"rome\",2,null,null,\"{\\\"t\\\":\\\"x\\\"}\"]]");
        assertThat(rows(server, "SELECT count(*), sum(info_logins) FROM entity_demo.users WHERE city = 'oslo'"))
                .isEqualTo("[[1,4]]");
        assertThat(rows(
                        server,
                        "SELECT timestamp, value FROM entity_demo.users_cells WHERE \"column\" = 'name' ORDER BY 1"))
                .isEqualTo("[[1,\"ada\"],[2,\"Ada\"]]");
        for (String user : List.of("ann", "eve")) {
            post(server, "CREATE USER " + user);
            post(server, "GRANT SELECT ON entity_demo.users, entity_demo.users_cells TO " + user);
        }
        for (String table : List.of("users", "users_cells")) {
            String count = "SELECT count(*) FROM entity_demo." + table;
            assertThat(rows(server, "EXECUTE AS USER 'ann' (" + count + ")")).isEqualTo(rows(server, count));
            assertThat(post(server, "EXECUTE AS USER 'eve' (" + count + ")").body())
                    .contains("permission denied for table " + table);
        }
        assertThat(server.stop()).isTrue();
    }

    @Test
    void hbaseRowsAreAskedAsCellsAndAsOneRowEach() throws Exception {
        assertThat(start().stop()).isTrue();
        try (TableStore store = EmbeddedStore.open(
                        directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
                CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT)) {
            CellTable table = cells.create(
                    CellTableSpec.of(new TableName("default", "people"), FamilySpec.of("f"), FamilySpec.of("g")));
            put(table, "ann", "f", "age", "30");
            put(table, "ann", "g", "pet", "cat");
            put(table, "bob", "g", "pet", "dog");
        }
        Server server = start("--hbase.enabled=true", "--hbase.port=0", "--hbase.master.port=0", "--zookeeper.port=0");
        assertThat(rows(server, "SELECT row_key, family, qualifier, value FROM people_cells ORDER BY 1, 2"))
                .isEqualTo("[[\"ann\",\"f\",\"age\",\"30\"],[\"ann\",\"g\",\"pet\",\"cat\"],"
                        + "[\"bob\",\"g\",\"pet\",\"dog\"]]");
        assertThat(rows(server, "SELECT row_key, f, g->>'pet' FROM people WHERE row_key >= 'ann' ORDER BY 1"))
                .isEqualTo("[[\"ann\",\"{\\\"age\\\":\\\"30\\\"}\",\"cat\"],[\"bob\",null,\"dog\"]]");
        assertThat(rows(server, "SELECT count(*), count(f) FROM people"))
                .as("a row without the family is a row")
                .isEqualTo("[[2,1]]");
        assertThat(rows(server, "EXPLAIN SELECT count(*) FROM people_cells WHERE row_key = 'bob'"))
                .contains("a range of row_key");
        assertThat(post(server, "DELETE FROM people").body())
                .contains("READ_ONLY")
                .contains("HBase");
        assertThat(server.stop()).isTrue();
    }

    private static void put(CellTable table, String row, String family, String qualifier, String value) {
        table.write(RowWrite.of(
                Bytes.utf8(row), new Edit.Put(Bytes.utf8(family), Bytes.utf8(qualifier), Bytes.utf8(value))));
    }

    @Test
    void tablesAreThereAgainAfterARestart() throws Exception {
        Server first = start();
        rows(first, "CREATE NAMESPACE app; CREATE TABLE app.t (id INT PRIMARY KEY, v TEXT UNIQUE)");
        rows(first, "INSERT INTO app.t VALUES (1, 'a'), (2, 'b'); DELETE FROM app.t WHERE id = 2");
        rows(first, "ALTER TABLE app.t ADD COLUMN n INT DEFAULT 5; CREATE VIEW app.w AS SELECT n FROM app.t");
        assertThat(first.stop()).isTrue();
        Server again = start();
        assertThat(rows(again, "SELECT * FROM app.t")).isEqualTo("[[1,\"a\",5]]");
        assertThat(rows(again, "SELECT * FROM app.w")).isEqualTo("[[5]]");
        assertThat(post(again, "INSERT INTO app.t VALUES (3, 'a', 1)").body()).contains("UNIQUE_VIOLATION");
        assertThat(rows(again, "SELECT count(*) FROM app.t WHERE v = 'a'")).isEqualTo("[[1]]");
        assertThat(again.stop()).isTrue();
    }

    @Test
    void largeAnswersAreStreamedAndTheConnectionGoesOn() throws Exception {
        Server server = start();
        String large = post(server, "SELECT x, repeat('y', 50) FROM range(100000) r(x)")
                .body();
        assertThat(large).endsWith("}\n").contains("\"row_count\":100000");
        assertThat(rows(server, "SELECT 1")).isEqualTo("[[1]]");
        assertThat(server.stop()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/vnd.apache.arrow.stream"})
    void aStreamedResultThatFailsBreaksTheConnection(String format) throws Exception {
        Server server = start();
        rows(server, "CREATE TABLE big (id INT PRIMARY KEY, t TEXT)");
        rows(server, "INSERT INTO big SELECT x, repeat('y', 50) FROM range(30000) r(x)");
        assertThatThrownBy(() -> post(server, "SELECT id, t, 10 / (20000 - id) FROM big", "Accept", format))
                .isInstanceOf(IOException.class);
        assertThat(post(server, "SELECT id, t FROM big", "Accept", format).statusCode())
                .isEqualTo(200);
        assertThat(server.stop()).isTrue();
    }

    @Test
    void aPasswordIsAskedFor() throws Exception {
        Server server = start("--redis.requirepass=secret");
        HttpResponse<String> unauthenticated = post(server, "SELECT 1");
        assertThat(unauthenticated.statusCode()).isEqualTo(401);
        assertThat(unauthenticated.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"polytable\"");
        String token = "Bearer "
                + LoginClient.of(server.httpPort()).login("root", "secret").access();
        assertThat(post(server, "SELECT 1", "Authorization", token).statusCode())
                .isEqualTo(200);
        assertThat(post(
                                server,
                                "SELECT value FROM system.settings WHERE name = 'redis.requirepass'",
                                "Authorization",
                                token)
                        .body())
                .doesNotContain("secret");
        assertThat(server.stop()).isTrue();
    }

    @Test
    void aPasswordThatRedisChangesHoldsForHttpToo() throws Exception {
        Server server = start("--redis.requirepass=first");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            redis.ask("AUTH", "first");
            redis.ask("CONFIG", "SET", "requirepass", "s\u00e9cond");
            assertThat(redis.ask("AUTH", "s\u00e9cond")).isEqualTo("OK");
            String basic = "Basic " + Base64.getEncoder().encodeToString("root:s\u00e9cond".getBytes(UTF_8));
            LoginClient logins = LoginClient.of(server.httpPort());
            assertThat(logins.post("/login", "{\"user\":\"root\",\"password\":\"first\"}")
                            .statusCode())
                    .isEqualTo(401);
            String token = "Bearer " + logins.login("root", "s\u00e9cond").access();
            for (String path : List.of("/v1/api/sql", "/entity/v1/anything")) {
                assertThat(status(server, path, basic)).as(path).isEqualTo(401);
                assertThat(status(server, path, token)).as(path).isNotEqualTo(401);
            }
            redis.ask("CONFIG", "SET", "requirepass", "");
            assertThat(post(server, "SELECT 1").statusCode()).isEqualTo(200);
        }
        assertThat(server.stop()).isTrue();
    }

    private static int status(Server server, String path, String authorization)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
                .header("Content-Type", "application/json")
                .header("Authorization", authorization)
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"SELECT 1\"}"))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
    }

    @Test
    void aFaceThatIsOffAnswersNothing() throws Exception {
        Server server = start("--sql.enabled=false");
        assertThat(post(server, "SELECT 1").statusCode()).isEqualTo(503);
        assertThat(server.stop()).isTrue();
    }
}
