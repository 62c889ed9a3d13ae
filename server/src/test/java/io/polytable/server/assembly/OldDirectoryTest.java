package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.server.config.ServerCatalog;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory of an older version: deadlines in the rows of stream indexes, and a cell table with a row per row key. */
@Timeout(120)
class OldDirectoryTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream in =
                        Objects.requireNonNull(getClass().getResourceAsStream("/old-directories/row-deadlines.zip"));
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
                "--redis.enabled=false",
                "--hbase.enabled=false",
                "--http.port=0",
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
    void aCellTableInARetiredLayoutIsRecognisedAndTheOthersAreRead() {
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
}
