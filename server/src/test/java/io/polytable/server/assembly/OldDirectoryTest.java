package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that older versions wrote. {@code row-deadlines} has deadlines in the rows of stream indexes, and a cell
 * table with a row per row key. {@code all-protocols} has data of every endpoint, some of it only in the log: its server
 * was killed.
 */
@Timeout(120)
class OldDirectoryTest {
    @TempDir
    private Path directory;

    private void unpack(String name) throws IOException {
        try (InputStream in =
                        Objects.requireNonNull(getClass().getResourceAsStream("/old-directories/" + name + ".zip"));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(Objects.requireNonNull(target.getParent()));
                    Files.copy(zip, target);
                }
            }
        }
    }

    private Server start() {
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                // Its user with a password would otherwise end the trust in this machine.
                "--auth.loopback=trust",
                "--memory.rows=32mb",
                "--memory.blocks=128mb",
                "--sql.memory=128mb");
        return Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    private static String rows(Server server, String sql) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json; numbers=bare")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"" + sql + "\"}"))
                .build();
        String body = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(body).as(sql).contains("\"status\":\"success\"");
        return body.substring(body.lastIndexOf("\"rows\":") + 7, body.lastIndexOf(",\"row_count\""));
    }

    private TableStore open() {
        return EmbeddedStore.open(directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
    }

    private static int stored(TableStore store, int index) {
        Table table = store.find(new TableName("shop", "sql_index." + index)).orElseThrow();
        return Rows.all(store, table).size();
    }

    @Test
    void indexEntriesWithDeadlinesAreReadWrittenAndRemovedWithTheirEvents() throws Exception {
        unpack("row-deadlines");
        Server server = start();
        assertThat(rows(server, "SELECT id FROM shop.visit WHERE page = 'home' ORDER BY id"))
                .isEqualTo("[[\"a\"],[\"c\"]]");
        assertThat(rows(server, "SELECT page FROM shop.visit WHERE id = 'b'")).isEqualTo("[[\"cart\"]]");
        rows(server, "INSERT INTO shop.visit VALUES ('d', 'home')");
        rows(server, "INSERT INTO shop.kept VALUES ('b', 'home')");
        assertThat(rows(server, "SELECT id FROM shop.visit WHERE page = 'home' ORDER BY id"))
                .isEqualTo("[[\"a\"],[\"c\"],[\"d\"]]");
        assertThat(rows(server, "SELECT page FROM shop.kept WHERE id = 'b'")).isEqualTo("[[\"home\"]]");
        assertThat(server.stop()).isTrue();

        try (TableStore store = open();
                SqlFace sql = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")))) {
            assertThat(store.tables())
                    .extracting(table -> table.name().toString())
                    .doesNotContain("system.deadlines");
            assertThat(List.of(stored(store, 1), stored(store, 2), stored(store, 3)))
                    .as("entries of three indexes")
                    .containsExactly(4, 4, 2);
            Outcome unused = sql.session("root").execute("ALTER TABLE shop.visit SET (ttl_seconds = 1)");
            Await.until("the entries are removed", () -> stored(store, 1) + stored(store, 2) == 0);
            assertThat(stored(store, 3)).as("events without a time to live").isEqualTo(2);
        }
    }

    @Test
    void aCellTableInARetiredLayoutIsRecognisedAndTheOthersAreRead() throws IOException {
        unpack("row-deadlines");
        Bytes row = Bytes.utf8("row");
        TableName retired = new TableName("default", "by_family");
        try (TableStore store = open()) {
            try (CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
                assertThat(cells.table(new TableName("default", "by_cell"))
                                .get(row, Selection.ALL)
                                .cells())
                        .extracting(cell -> cell.value().utf8())
                        .containsExactly("value");
                assertThat(cells.table(retired).spec().families()).hasSize(1);
                assertThatThrownBy(() -> cells.table(retired).get(row, Selection.ALL))
                        .isInstanceOfSatisfying(
                                CellException.class,
                                refused -> assertThat(refused.error()).isEqualTo(CellError.RETIRED_LAYOUT));
                assertThat(cells.check().isClean()).isTrue();
                cells.drop(retired);
            }
            assertThat(store.tables()).noneMatch(table -> table.name().name().contains("by_family"));
        }
    }

    @Test
    void dataOfEveryEndpointOpensAndCanBeChanged() throws Exception {
        unpack("all-protocols");
        Server server = start();
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            requireKeys(redis);
            assertThat(redis.ask("AUTH", "app", "secret")).isEqualTo("OK");
            assertThat(redis.ask("FCALL", "twice", "0", "21")).isEqualTo("42");
            assertThat(redis.ask("XADD", "stream", "3-1", "f", "x")).isEqualTo("3-1");
            assertThat(redis.ask("XREADGROUP", "GROUP", "readers", "me", "STREAMS", "stream", ">"))
                    .isEqualTo("stream 2-1 f w 3-1 f x");
        }
        assertThat(rows(server, "SELECT id, name, stock FROM shop.item ORDER BY id"))
                .isEqualTo("[[1,\"nail\",7],[3,\"glue\",7],[4,\"saw\",1]]");
        assertThat(rows(server, "SELECT id FROM shop.item WHERE name = 'glue'")).isEqualTo("[[3]]");
        assertThat(rows(server, "SELECT name FROM shop.cheap ORDER BY 1")).isEqualTo("[[\"glue\"],[\"nail\"]]");
        assertThat(rows(server, "SELECT id, info_name, info_visits FROM entity_demo.users"))
                .isEqualTo("[[\"alice\",\"Alice\",1]]");
        rows(server, "UPDATE shop.item SET stock = 8 WHERE id = 1");
        rows(server, "FLUSH TABLE shop.item");
        assertThat(server.stop()).isTrue();
        Server again = start();
        assertThat(rows(again, "SELECT id, stock FROM shop.item ORDER BY id")).isEqualTo("[[1,8],[3,7],[4,1]]");
        HttpRequest check = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + again.httpPort() + AdminPaths.CHECK + "?deep=true"))
                .header("Authorization", AdminToken.headerFor(directory))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> findings = HttpClient.newHttpClient().send(check, HttpResponse.BodyHandlers.ofString());
        assertThat(findings.statusCode()).as(findings.body()).isEqualTo(200);
        assertThat(again.stop()).isTrue();
    }

    private static void requireKeys(RedisClient redis) throws IOException {
        assertThat(redis.ask("GET", "string")).isEqualTo("hello");
        assertThat(redis.ask("INCR", "number")).isEqualTo("42");
        assertThat(redis.ask("PEXPIRETIME", "mortal")).isEqualTo("4102444800000");
        assertThat(redis.ask("HGET", "hash", "name")).isEqualTo("Alice");
        assertThat(redis.ask("LRANGE", "list", "0", "-1")).isEqualTo("a b c");
        assertThat(redis.ask("SMISMEMBER", "set", "one", "two", "three")).isEqualTo("1 1 0");
        assertThat(redis.ask("SCARD", "ints")).isEqualTo("3");
        assertThat(redis.ask("ZRANGE", "zset", "0", "-1", "WITHSCORES")).isEqualTo("a 1.5 b 2");
        assertThat(redis.ask("PFCOUNT", "hll")).isEqualTo("3");
        assertThat(redis.ask("GEOHASH", "geo", "berlin")).startsWith("u33d");
        assertThat(redis.ask("GETBIT", "bits", "7")).isEqualTo("1");
        assertThat(redis.ask("STRLEN", "long")).isEqualTo("70000");
        assertThat(redis.ask("SELECT", "3")).isEqualTo("OK");
        assertThat(redis.ask("GET", "other-db")).isEqualTo("yes");
        assertThat(redis.ask("SELECT", "0")).isEqualTo("OK");
    }

    @Test
    void aDirectoryOfANewerVersionIsRefusedAndNotChanged() throws IOException {
        unpack("all-protocols");
        Path format = directory.resolve("store/FORMAT");
        Files.writeString(format, Files.readString(format).replace("polytable-store 1", "polytable-store 99"));
        List<String> before = listed();
        assertThatThrownBy(this::start).hasMessageContaining("99").hasMessageContaining("newer");
        assertThat(listed()).isEqualTo(before);
    }

    /** The names and sizes of what is in the store. */
    private List<String> listed() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            return files.map(file -> file + " " + file.toFile().length())
                    .sorted()
                    .toList();
        }
    }
}
