package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables on an S3 storage, served by s3proxy in a separate process, and its failures. */
class S3StorageTest {
    @TempDir
    private Path directory = Path.of("");

    private Process proxy = new ProcessBuilder("true").start();
    private int port;

    S3StorageTest() throws IOException {}

    private void start() throws Exception {
        if (port == 0) {
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
        }
        Path bucket = Files.createDirectories(directory.resolve("objects/tables"));
        Path properties = directory.resolve("s3proxy.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "s3proxy.endpoint=http://127.0.0.1:" + port,
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=test",
                        "s3proxy.credential=secret",
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.identity=test",
                        "jclouds.credential=secret",
                        "jclouds.filesystem.basedir=" + bucket.getParent()));
        proxy = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-jar",
                        Path.of("target/s3proxy/s3proxy.jar").toAbsolutePath().toString(),
                        "--properties",
                        properties.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("s3proxy.log").toFile())
                .start();
        Await.until(() -> "the proxy listens; its log is " + directory.resolve("s3proxy.log"), this::isListening);
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        proxy.destroyForcibly();
        proxy.waitFor(10, TimeUnit.SECONDS);
    }

    private List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("objects"))) {
            return files.filter(file -> file.toString().endsWith(".parquet")).toList();
        }
    }

    @Test
    void aTableLivesInABucketThatComesAndGoes() throws Exception {
        start();
        try (MemoryStore store = new MemoryStore();
                TierFixture sql = new TierFixture(store, directory.resolve("sql"))) {
            sql.run("CREATE STORAGE cloud TYPE s3 WITH (bucket = 'tables', endpoint = 'http://127.0.0.1:" + port
                    + "', access_key = 'test', secret_key = 'secret', prefix = 'p')");
            sql.run("STORAGE CHECK cloud");
            sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (storage_id = 'cloud')");
            sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
            sql.run("FLUSH TABLE t");
            assertThat(objects()).hasSize(1);
            assertThat(sql.ask("SELECT id, max(v) FROM t GROUP BY id ORDER BY id"))
                    .containsExactly("1 | a", "2 | b");
            assertThat(sql.ask("SELECT v FROM t WHERE id = 2")).containsExactly("b");
            sql.run("UPDATE t SET v = 'c' WHERE id = 2");
            stop();
            sql.run("SET statement_timeout = '2s'");
            assertThatThrownBy(() -> sql.run("FLUSH TABLE t"))
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("continues");
            assertThat(sql.ask("SELECT * FROM t ORDER BY id"))
                    .as("what was fetched is kept")
                    .containsExactly("1 | a", "2 | c");
            start();
            sql.run("SET statement_timeout = '60s'");
            awaitNoJobs(sql);
            assertThat(sql.ask("SELECT status FROM system.jobs WHERE retries > 0"))
                    .containsExactly("completed");
            assertThat(sql.ask("SELECT id, max(v) FROM t GROUP BY id ORDER BY id"))
                    .containsExactly("1 | a", "2 | c");
            sql.run("COMPACT TABLE t");
            assertThat(sql.ask("SELECT id, max(v) FROM t GROUP BY id ORDER BY id"))
                    .containsExactly("1 | a", "2 | c");
            sql.run("EXPORT TABLE t TO PARQUET 'storage://cloud/t.parquet'");
            sql.run("CREATE TABLE u (id INT PRIMARY KEY, v TEXT)");
            assertThat(sql.run("IMPORT INTO u FROM PARQUET 'storage://cloud/t.parquet'"))
                    .isEqualTo(2);
            sql.run("DROP TABLE t");
            Await.until("the files are deleted with the table", () -> objects().size() <= 1);
        }
    }

    private static void awaitNoJobs(TierFixture sql) {
        Await.until(
                "no job is unfinished",
                () -> sql.ask("SELECT 1 FROM system.jobs WHERE finished_at IS NULL")
                        .isEmpty());
    }

    /** Uploads that break, are rejected or take long: rows stay in the store until the bucket has them whole. */
    @ParameterizedTest
    @EnumSource(
            value = FlakyProxy.Mode.class,
            names = {"CUTTING", "REFUSING", "SLOWLY"})
    void nothingIsLostOnAWayThatFails(FlakyProxy.Mode mode) throws Exception {
        start();
        try (FlakyProxy way = new FlakyProxy(port);
                MemoryStore store = new MemoryStore();
                TierFixture sql = new TierFixture(store, directory.resolve("sql"))) {
            sql.run("CREATE STORAGE cloud TYPE s3 WITH (bucket = 'tables', endpoint = 'http://127.0.0.1:" + way.port()
                    + "', access_key = 'test', secret_key = 'secret')");
            sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (storage_id = 'cloud')");
            // Incompressible, so that an upload has more than one piece.
            sql.run("INSERT INTO t SELECT i, md5(CAST(i AS TEXT)) FROM range(500) AS r(i)");
            sql.run("FLUSH TABLE t");
            sql.run("UPDATE t SET v = 'new' WHERE id % 2 = 0");
            List<String> expected = sql.ask("SELECT * FROM t ORDER BY id");
            way.mode = mode;
            sql.run("SET statement_timeout = '1s'");
            assertThatThrownBy(() -> sql.run("FLUSH TABLE t"))
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("continues");
            sql.run("SET statement_timeout = '60s'");
            assertThat(sql.ask("SELECT * FROM t ORDER BY id")).isEqualTo(expected);
            way.mode = FlakyProxy.Mode.WELL;
            awaitNoJobs(sql);
            assertThat(sql.ask("SELECT status FROM system.jobs")).containsOnly("completed");
            assertThat(sql.ask("SELECT * FROM t ORDER BY id")).isEqualTo(expected);
            assertThat(sql.ask("SELECT count(*), count(DISTINCT id) FROM t")).containsExactly("500 | 500");
            assertThat(objects()).as("whole ones only").hasSize(2);
            try (Stream<Path> staged = Files.list(directory.resolve("sql/cold/staging"))) {
                assertThat(staged).isEmpty();
            }
        }
    }
}
