package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs, storages, versions, and files as outside readers see them. */
class TierJobsTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);
    private volatile Step.Listener listener = step -> {};
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        sql.close();
        SqlOptions options = SqlOptions.in(directory.resolve("sql")).withSteps(step -> listener.reached(step));
        sql = new TierFixture(store, options, clock);
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    }

    @AfterEach
    void close() {
        sql.close();
        store.close();
    }

    private List<Path> parquet(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void versionsAreReadUntilTheirRetentionIsOver() throws IOException {
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET v = 'x' WHERE id = 2");
        sql.run("DELETE FROM t WHERE id = 3");
        clock.advance(Duration.ofMinutes(1));
        sql.run("FLUSH TABLE t");
        sql.run("COMPACT TABLE t");
        sql.run("INSERT INTO t VALUES (4, 'hot')");
        assertThat(sql.ask("SELECT id, v FROM t AS OF VERSION 1 ORDER BY id"))
                .containsExactly("1 | a", "2 | b", "3 | c");
        assertThat(sql.ask("SELECT id, v FROM t AS OF\nVERSION 1 ORDER BY id")).hasSize(3);
        assertThat(sql.ask("SELECT t.id, v FROM t AS OF 2 WHERE t.id < 3 ORDER BY id"))
                .containsExactly("1 | a", "2 | x");
        assertThat(sql.ask("SELECT count(*) FROM t AS OF VERSION 3 AS past JOIN t ON t.id = past.id"))
                .containsExactly("2");
        assertThatThrownBy(() -> sql.ask("SELECT * FROM t AS OF VERSION 9"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("no version 9");
        assertThat(sql.ask("SELECT version, files FROM system.manifest_versions ORDER BY 1"))
                .containsExactly("1 | 1", "2 | 2", "3 | 1");
        assertThat(parquet(directory)).hasSize(3);
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(parquet(directory)).hasSize(3);
        clock.advance(Duration.ofHours(25));
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(parquet(directory)).hasSize(1);
        assertThat(sql.ask("SELECT version FROM system.manifest_versions")).containsExactly("3");
        assertThat(sql.ask("SELECT id, v FROM t ORDER BY id")).containsExactly("1 | a", "2 | x", "4 | hot");
    }

    @Test
    void tombstonesStayWhileTheyHideSomething() {
        sql.run("ALTER TABLE t SET (deleted_retention_hours = 1)");
        sql.run("FLUSH TABLE t");
        sql.run("DELETE FROM t WHERE id = 1");
        sql.run("FLUSH TABLE t");
        clock.advance(Duration.ofHours(2));
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("2");
        assertThat(sql.ask("SELECT id FROM t WHERE id = 1")).isEmpty();
        sql.run("COMPACT TABLE t");
        assertThat(sql.ask("SELECT rows FROM system.manifests")).containsExactly("2");
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("2");
    }

    @Test
    void writesBesideAFlushStayInTheStore() {
        try (Session other = sql.face.session("root")) {
            listener = step -> {
                if (step == Step.FILE_WRITTEN) {
                    TierFixture.run(other, "UPDATE t SET v = 'later' WHERE id = 1");
                    TierFixture.run(other, "DELETE FROM t WHERE id = 2");
                    TierFixture.run(other, "INSERT INTO t VALUES (9, 'new')");
                }
            };
            sql.run("FLUSH TABLE t");
        }
        List<String> expected = List.of("1 | later", "3 | c", "9 | new");
        assertThat(sql.ask("SELECT * FROM t ORDER BY id")).isEqualTo(expected);
        listener = step -> {};
        sql.run("FLUSH TABLE t");
        assertThat(sql.ask("SELECT * FROM t ORDER BY id")).isEqualTo(expected);
        assertThat(sql.ask("SELECT id, min(v) FROM t GROUP BY id ORDER BY id")).isEqualTo(expected);
    }

    @Test
    void aTruncateOrDropBesideAFlushWins() {
        try (Session other = sql.face.session("root")) {
            listener = step -> {
                if (step == Step.FILE_PUBLISHED) {
                    TierFixture.run(other, "TRUNCATE TABLE t");
                }
            };
            assertThatThrownBy(() -> sql.run("FLUSH TABLE t")).isInstanceOf(SqlError.class);
            assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("0");
            sql.run("INSERT INTO t VALUES (1, 'again')");
            listener = step -> {
                if (step == Step.FILE_PUBLISHED) {
                    TierFixture.run(other, "DROP TABLE t");
                }
            };
            assertThatThrownBy(() -> sql.run("FLUSH TABLE t")).isInstanceOf(SqlError.class);
        }
    }

    @Test
    void aJobIsKilledAndPoliciesFlush() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        listener = step -> {
            if (step == Step.FILE_WRITTEN) {
                reached.countDown();
                awaited(go);
            }
        };
        sql.run("SET statement_timeout = '10ms'");
        assertThatThrownBy(() -> sql.run("FLUSH TABLE t"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("continues");
        reached.await();
        sql.run("SET statement_timeout = '30s'");
        String job = sql.ask("SELECT job_id FROM system.jobs WHERE status = 'running'")
                .get(0);
        sql.run("CREATE TABLE u (id INT PRIMARY KEY) WITH (flush_policy = 'rows:2')");
        sql.run("KILL JOB '" + job + "'");
        go.countDown();
        awaitRow("SELECT 1 FROM system.jobs WHERE job_id = '" + job + "' AND finished_at IS NOT NULL");
        listener = step -> {};
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("3");
        sql.run("INSERT INTO u VALUES (1), (2), (3)");
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'u' AND rows = 3");
        assertThat(sql.ask("SELECT count(*) FROM u")).containsExactly("3");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitRow(String query) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (sql.ask(query).isEmpty()) {
            assertThat(System.nanoTime()).as(query).isLessThan(deadline);
        }
    }

    @Test
    void storagesAreDefinedUsedAndDropped() throws IOException {
        Path archive = directory.resolve("archive");
        sql.run("CREATE STORAGE archive TYPE filesystem WITH (path = '" + archive
                + "', shared_tables_template = 'x/{namespace}/{tableName}')");
        sql.run("STORAGE CHECK archive");
        sql.run("CREATE TABLE a (id INT PRIMARY KEY) WITH (storage_id = 'archive')");
        sql.run("INSERT INTO a VALUES (1), (2)");
        sql.run("FLUSH TABLE a");
        assertThat(parquet(archive)).hasSize(1);
        assertThat(archive.resolve("x/default/a/manifest.json")).exists();
        assertThat(sql.ask("SELECT sum(id) FROM a"))
                .as("by a link, before a restart")
                .containsExactly("3");
        assertThat(sql.ask("SELECT storage_id, usage_count FROM system.storages ORDER BY 1"))
                .containsExactly("archive | 1", "local | 1");
        assertThatThrownBy(() -> sql.run("DROP STORAGE archive"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("in use");
        for (String wrong : List.of(
                "CREATE STORAGE archive WITH (path = '/x')",
                "CREATE STORAGE b TYPE tape WITH (path = '/x')",
                "CREATE STORAGE b WITH (path = 'relative')",
                "CREATE STORAGE b WITH (path = '/x', shared_tables_template = '../{namespace}/{tableName}')",
                "CREATE STORAGE b TYPE s3 WITH (bucket = 'B')",
                "CREATE TABLE c (id INT PRIMARY KEY) WITH (storage_id = 'none')",
                "DROP STORAGE local",
                "STORAGE CHECK none",
                "EXPORT TABLE t TO PARQUET '../x.parquet'",
                "EXPORT TABLE t TO PARQUET '/etc/x.parquet'",
                "IMPORT INTO t FROM PARQUET 'storage://none/x.parquet'",
                "KILL JOB 'none'")) {
            assertThatThrownBy(() -> sql.run(wrong)).as(wrong).isInstanceOf(SqlError.class);
        }
        sql.run("DROP TABLE a");
        awaitRow("SELECT 1 FROM system.jobs WHERE job_type = 'cleanup' AND status = 'completed'");
        assertThat(parquet(archive)).isEmpty();
        assertThat(archive.resolve("x")).doesNotExist();
        sql.run("DROP STORAGE archive");
    }

    @Test
    void tablesAreExportedAndImported() {
        sql.run("CREATE USER TABLE basket (item INT PRIMARY KEY, pieces DECIMAL(10,2))");
        try (Session bob = sql.face.session("bob")) {
            TierFixture.run(bob, "INSERT INTO basket VALUES (1, 2.50)");
        }
        sql.run("INSERT INTO basket VALUES (1, 1.25)");
        sql.run("FLUSH TABLE basket");
        sql.run("INSERT INTO basket VALUES (2, 3)");
        assertThat(sql.run("EXPORT TABLE basket TO PARQUET 'all/basket.parquet'"))
                .isEqualTo(3);
        assertThat(sql.run("EXPORT TABLE information_schema.tables TO PARQUET 'tables.parquet'"))
                .isPositive();
        sql.run("CREATE USER TABLE copy (item INT PRIMARY KEY, pieces DECIMAL(10,2), note TEXT DEFAULT 'n')");
        assertThat(sql.run("IMPORT INTO copy FROM PARQUET 'all/basket.parquet'"))
                .isEqualTo(3);
        assertThat(sql.ask("SELECT * FROM copy ORDER BY item")).containsExactly("1 | 1.25 | n", "2 | 3.00 | n");
        try (Session bob = sql.face.session("bob")) {
            assertThat(TierFixture.ask(bob, "SELECT * FROM copy")).containsExactly("1 | 2.50 | n");
        }
        assertThatThrownBy(() -> sql.run("IMPORT INTO copy FROM PARQUET 'all/basket.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("duplicate");
        assertThatThrownBy(() -> sql.run("IMPORT INTO t FROM PARQUET 'all/basket.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("is not in");
    }

    @Test
    void outsideReadersReadTheFiles() throws IOException, SQLException {
        sql.run("FLUSH TABLE t");
        Path file = parquet(directory).get(0);
        assertThat(duck("SELECT string_agg(id || v || _deleted, ',' ORDER BY id) FROM read_parquet('" + file + "')"))
                .isEqualTo("1afalse,2bfalse,3cfalse");
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            assertThat(reader.getRecordCount()).isEqualTo(3);
            BlockMetaData group = reader.getRowGroups().get(0);
            ColumnChunkMetaData id = group.getColumns().get(0);
            assertThat(id.getCodec().name()).isEqualTo("ZSTD");
            assertThat((Object) id.getStatistics().genericGetMin()).isEqualTo(1);
            assertThat(id.getBloomFilterOffset()).as("a bloom filter").isPositive();
            assertThat(Files.size(file)).as("a bloom filter of its own size").isLessThan(10_000);
        }
    }

    private static String duck(String query) throws SQLException {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** By the manifest alone: the newest row of each key, without tombstones; and by parquet-java row by row. */
    @Test
    void outsideReadersFindTheTableByItsManifest() throws IOException, SQLException {
        sql.run("CREATE TABLE big (id BIGINT PRIMARY KEY, d DECIMAL(20,3), ts TIMESTAMP, u UUID, b BYTES)");
        sql.run("INSERT INTO big SELECT i * 7 % 25013, i / 4.0, to_timestamp(i), CAST(md5(CAST(i AS TEXT)) AS UUID),"
                + " CAST('x' || i AS BYTEA) FROM range(25000) AS r(i)");
        sql.run("FLUSH TABLE big");
        sql.run("DELETE FROM big WHERE id < 100");
        sql.run("UPDATE big SET d = -1 WHERE id BETWEEN 100 AND 199");
        sql.run("FLUSH TABLE big");
        Path folder = directory.resolve("sql/tables/default/shared/big");
        assertThat(folder.resolve("schema_v1.json")).exists();
        JsonNode manifest =
                new ObjectMapper().readTree(folder.resolve("manifest.json").toFile());
        String theirs =
                duck("SELECT count(*) || ' | ' || sum(d) || ' | ' || max(CAST(u AS TEXT)) || ' | ' || count(b) FROM"
                        + " (SELECT *, row_number() OVER (PARTITION BY id ORDER BY o DESC) AS n FROM ("
                        + union(manifest)
                        + ")) WHERE n = 1 AND NOT _deleted");
        assertThat(
                        sql.ask(
                                "SELECT count(*) || ' | ' || sum(d) || ' | ' || max(CAST(u AS TEXT)) || ' | ' || count(b) FROM big"))
                .containsExactly(theirs);
        assertSortedAndIndexed(directory
                .resolve("sql/tables")
                .resolve(manifest.get("segments").get(0).get("path").asText()));
    }

    private String union(JsonNode manifest) {
        StringBuilder union = new StringBuilder();
        for (JsonNode segment : manifest.get("segments")) {
            union.append(union.isEmpty() ? "" : " UNION ALL ")
                    .append("SELECT *, ")
                    .append(segment.get("order").asLong())
                    .append(" AS o FROM read_parquet('")
                    .append(directory
                            .resolve("sql/tables")
                            .resolve(segment.get("path").asText()))
                    .append("')");
        }
        return union.toString();
    }

    private static void assertSortedAndIndexed(Path file) throws IOException {
        long rows = 0;
        long last = -1;
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            assertThat(reader.getRowGroups().stream().map(BlockMetaData::getRowCount))
                    .containsExactly(10_000L, 10_000L, 5_000L);
            MessageType schema = reader.getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                var records = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long i = 0; i < pages.getRowCount(); i++, rows++) {
                    Group row = records.read();
                    assertThat(row.getLong("id", 0)).as("in the order of keys").isGreaterThan(last);
                    last = row.getLong("id", 0);
                }
            }
            for (BlockMetaData group : reader.getRowGroups()) {
                ColumnChunkMetaData id = group.getColumns().get(0);
                assertThat(id.getBloomFilterOffset()).isPositive();
                assertThat(id.getStatistics().hasNonNullValue()).isTrue();
                assertThat(id.getOffsetIndexReference())
                        .as("pages can be passed over")
                        .isNotNull();
            }
        }
        assertThat(rows).isEqualTo(25_000);
    }
}
