package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import io.polytable.table.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** backup, backup verify, restore and check, of a server with flushed rows. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_ERR)
@ResourceLock(Resources.SYSTEM_OUT)
class BackupCommandTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int BACKUPS = 2;

    @TempDir
    private Path directory = Path.of("");

    private Optional<Server> server = Optional.empty();
    private final HttpClient client = HttpClient.newHttpClient();

    private record Outcome(int code, String out, String err) {}

    @AfterEach
    void stop() {
        server.ifPresent(Server::stop);
        server = Optional.empty();
    }

    private void serve(String data, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of(
                "--data.dir=" + directory.resolve(data),
                "--redis.enabled=false",
                "--hbase.enabled=false",
                "--http.port=0",
                "--sql.storage.roots=" + directory,
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        server = Optional.of(Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {}));
    }

    private JsonNode sql(String statement) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.orElseThrow().httpPort() + "/v1/api/sql");
            String body = JSON.writeValueAsString(Map.of("sql", statement));
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            JsonNode json =
                    JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
            assertThat(json.path("status").asText())
                    .as("%s: %s", statement, json)
                    .isEqualTo("success");
            return json.path("results").path(0).path("rows");
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopping);
        }
    }

    private String value(String query) {
        return sql(query).path(0).path(0).asText();
    }

    private Outcome run(String... words) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int code = PolytableCommand.run(Assembly.parts(), words);
            return new Outcome(
                    code, written.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private Outcome on(String data, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--data.dir=" + path(data));
        return run(all.toArray(String[]::new));
    }

    private static void done(Outcome outcome, String... texts) {
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).as("%s", outcome).isZero();
        assertThat(List.of(texts)).allSatisfy(text -> assertThat(outcome.out()).contains(text));
    }

    private Path parquet(String data) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve(data))) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 4] ^= 1;
        // A new file: the backup has a hard link.
        Files.delete(file);
        Files.write(file, bytes, StandardOpenOption.CREATE_NEW);
    }

    private void flushed() {
        sql("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT)");
        sql("INSERT INTO t SELECT i, i FROM range(1000) AS r(i)");
        sql("FLUSH TABLE t");
        sql("INSERT INTO t VALUES (5000, 5000)");
    }

    @Test
    void aRestoredServerAnswersFlushedRows() throws IOException {
        serve("data");
        sql("CREATE STORAGE archive TYPE filesystem WITH (path = '" + path("archive") + "')");
        sql("CREATE USER TABLE basket (id INT PRIMARY KEY) WITH (storage_id = 'archive')");
        sql("INSERT INTO basket VALUES (1), (2)");
        sql("FLUSH TABLE basket");
        flushed();
        done(on("data", "backup", path("running")), "Backed up " + path("data"), "files of storages");
        sql("INSERT INTO t VALUES (6000, 6000)");
        sql("FLUSH TABLE t");
        stop();
        done(
                on("data", "backup", path("rest"), "--incremental", path("running")),
                "are shared with " + path("running"));
        done(run("backup", "verify", path("rest")), " 0 damaged");
        for (String backup : List.of("running", "rest")) {
            done(on("of-" + backup, "restore", path(backup)), "All checksums are correct", "files of storages");
            done(on("of-" + backup, "check", "--deep"), "Read all of ");
            serve("of-" + backup);
            assertThat(value("SELECT count(*) || ' ' || sum(v) FROM t"))
                    .isEqualTo(backup.equals("running") ? "1001 504500" : "1002 510500");
            assertThat(value("SELECT v FROM t WHERE id = 7")).isEqualTo("7");
            assertThat(value("SELECT count(*) FROM basket")).isEqualTo("2");
            assertThat(directory.resolve("of-" + backup).resolve("sql/tables/default/shared/t/manifest.json"))
                    .content()
                    .contains("\"sha256\"");
            sql("INSERT INTO t VALUES (7000, 1)");
            sql("FLUSH TABLE t");
            sql("COMPACT TABLE t");
            assertThat(value("SELECT v FROM t WHERE id = 7000")).isEqualTo("1");
            stop();
        }
    }

    @Test
    void aRestoreReplaysTheLogWithTheFilesThatItsRowsName() throws IOException {
        serve("data");
        flushed();
        done(on("data", "backup", path("backup")));
        sql("INSERT INTO t VALUES (6000, 6000)");
        sql("FLUSH TABLE t");
        sql("DELETE FROM t WHERE id = 5000");
        Instant good = Instant.now();
        Await.until("the clock moves on", () -> Instant.now().toEpochMilli() > good.toEpochMilli());
        sql("DELETE FROM t");
        assertThat(on("other", "restore", path("backup"), "--replay=" + path("data"))
                        .err())
                .contains("A server uses");
        stop();
        done(
                on("restored", "restore", path("backup"), "--replay=" + path("data"), "--until=" + good),
                "Replayed ",
                "files of flushed rows were copied from the original data directory");
        done(on("restored", "check", "--deep"));
        serve("restored");
        assertThat(value("SELECT count(*) || ' ' || sum(v) FROM t")).isEqualTo("1001 505500");
        stop();
        assertThat(on("wrong", "restore", path("backup"), "--replay=" + path("data"), "--until=yesterday")
                        .err())
                .contains("--until takes a time with its offset");
        assertThat(on("wrong", "restore", path("backup"), "--until=" + good).err())
                .contains("--until needs --replay");
    }

    /** The files of a dropped table are kept as long as the log that leads to a moment before the drop. */
    @Test
    void aRestoreToAMomentBeforeADropHasTheTable() throws IOException {
        serve("data", "--store.log.retention.time=1h");
        flushed();
        done(on("data", "backup", path("backup")));
        sql("INSERT INTO t VALUES (6000, 6000)");
        sql("FLUSH TABLE t");
        Instant good = Instant.now();
        Await.until("the clock moves on", () -> Instant.now().toEpochMilli() > good.toEpochMilli());
        sql("DROP TABLE t");
        Path files = directory.resolve("data/sql/tables/default/shared/t");
        Await.until("the name is free again", () -> Files.notExists(files));
        sql("CREATE TABLE t (id INT PRIMARY KEY)");
        stop();
        done(on("restored", "restore", path("backup"), "--replay=" + path("data"), "--until=" + good), "Replayed ");
        done(on("restored", "check", "--deep"));
        serve("restored");
        assertThat(value("SELECT count(*) || ' ' || sum(v) FROM t")).isEqualTo("1002 510500");
    }

    @Test
    void aRestoreIntoADirectoryWithDataIsRefused() throws IOException {
        serve("data");
        flushed();
        done(on("data", "backup", path("backup")));
        stop();
        assertThat(on("data", "restore", path("backup")).err()).contains("not empty");
        Path left = directory.resolve("other/sql/tables/default/shared/t/batch-1.parquet");
        Files.createDirectories(left.getParent());
        Files.writeString(left, "left");
        Outcome refused = on("other", "restore", path("backup"));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("not empty");
        assertThat(left).hasContent("left");
        serve("data");
        assertThat(value("SELECT count(*) FROM t")).isEqualTo("1001");
    }

    @Test
    void checkReportsMissingAndDamagedFiles() throws IOException {
        serve("data");
        flushed();
        done(on("data", "check"), "Checked the footers of 1 files");
        damage(parquet("data"));
        done(on("data", "check"));
        Outcome deep = on("data", "check", "--deep");
        assertThat(deep.code()).isEqualTo(2);
        assertThat(deep.out()).contains("Table default.t", "batch-", "differs from its checksum");
        stop();
        assertThat(on("data", "check", "--deep")).as("at rest").isEqualTo(deep);
        Files.delete(parquet("data"));
        Outcome missing = on("data", "check");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.out()).contains("is missing");
        assertThat(on("data", "backup", path("backup")).err()).contains("missing or has another length");
    }

    /** The damage is found by a check, and the salvage brings the rows back from the log. */
    @Test
    void repairSalvagesADamagedFile() throws IOException {
        serve("data");
        sql("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        sql("INSERT INTO t SELECT i, md5(i::text) || md5((i + 1)::text) FROM range(5000) AS r(i)");
        stop();
        Path largest;
        try (Stream<Path> files = Files.list(directory.resolve("data/store/state"))) {
            largest = files.filter(file -> file.toString().endsWith(".sst"))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(largest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(largest, bytes);
        Outcome check = on("data", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.out()).contains("of table default.t is damaged", "polytable repair --salvage keeps");
        Outcome repair = on("data", "repair", "--salvage");
        assertThat(repair.code()).isEqualTo(2);
        assertThat(repair.out())
                .contains(
                        "rows of table default.t", "Lost unless they are in the log", "The damaged files are kept in");
        done(on("data", "check", "--deep"));
        done(on("data", "repair", "--salvage"), "No file is damaged");
        serve("data");
        assertThat(value("SELECT count(*) FROM t")).isEqualTo("5000");
        sql("INSERT INTO t VALUES (5000, 'writable')");
    }

    @Test
    void aDamagedBackupIsNamedAndNotRestored() throws IOException {
        serve("data");
        flushed();
        done(on("data", "backup", path("backup")));
        stop();
        damage(parquet("backup"));
        Outcome verified = run("backup", "verify", path("backup"));
        assertThat(verified.code()).isEqualTo(2);
        assertThat(verified.out()).contains("differs from its checksum", " 1 damaged");
        Outcome refused = on("other", "restore", path("backup"));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("differs from its checksum");
    }

    /** Writes, flushes, compactions and dropped tables while backups run: each backup is complete. */
    @Test
    void backupsUnderLoadAreComplete() {
        serve("data");
        sql("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT) WITH (file_retention_hours = 1)");
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            while (!stopped.get()) {
                int round = rounds.incrementAndGet();
                sql("INSERT INTO t SELECT " + round * 100 + " + i, 1 FROM range(100) AS r(i)");
                sql("FLUSH TABLE t");
                sql("CREATE TABLE gone" + round + " (id INT PRIMARY KEY)");
                sql("INSERT INTO gone" + round + " VALUES (1)");
                sql("FLUSH TABLE gone" + round);
                sql("DROP TABLE gone" + round);
                sql("COMPACT TABLE t");
            }
        });
        String previous = "";
        for (int i = 0; i < BACKUPS; i++) {
            int least = rounds.get() + 1;
            Await.until("the load continues", () -> rounds.get() > least || load.isDone());
            String backup = path("backup" + i);
            done(
                    previous.isEmpty()
                            ? on("data", "backup", backup)
                            : on("data", "backup", backup, "--incremental=" + previous));
            previous = backup;
        }
        stopped.set(true);
        load.join();
        stop();
        for (int i = 0; i < BACKUPS; i++) {
            done(on("restored" + i, "restore", path("backup" + i)), "All checksums are correct");
            done(on("restored" + i, "check", "--deep"));
        }
        serve("restored" + (BACKUPS - 1));
        long rows = Long.parseLong(value("SELECT count(*) FROM t"));
        assertThat(rows).isPositive();
        assertThat(rows % 100).as("whole statements").isZero();
        assertThat(value("SELECT sum(v) FROM t")).isEqualTo(Long.toString(rows));
    }
}
