package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A crash at any step of a flush or a compaction loses and duplicates no row; leftovers are deleted. */
class FlushKillTest {
    @TempDir
    private Path directory = Path.of("");

    /**
     * Each step of a flush, of a shared table or among users. Files are written in this order: 1 shared, 2-4 basket, 5-7 gone,
     * 8-10 shared again, 11 by the compaction; manifests: 1 shared, 2 basket, 3 gone, 4-6 shared, 7 by the compaction.
     */
    @ParameterizedTest
    @CsvSource({"FILE_PUBLISHED, 3", "MANIFEST_COMMITTED, 1", "ROWS_PARTLY_DELETED, 3"})
    void everyRowIsThereOnce(Step step, int time) throws Exception {
        verify(step, time);
    }

    /** The compaction, the removal of what it replaced (files 1-4), and that of a dropped table (5-7). */
    @ParameterizedTest
    @CsvSource({"MANIFEST_COMMITTED, 7", "FILE_REMOVED, 6"})
    void nothingIsLostByTidying(Step step, int time) throws Exception {
        verify(step, time);
    }

    @Tag("crash")
    @ParameterizedTest
    @CsvSource({
        "SNAPSHOT_TAKEN, 1",
        "SNAPSHOT_TAKEN, 4",
        "FILE_WRITTEN, 1",
        "FILE_WRITTEN, 4",
        "FILE_WRITTEN, 11",
        "FILE_PUBLISHED, 1",
        "FILE_PUBLISHED, 8",
        "FILE_PUBLISHED, 11",
        "MANIFEST_WRITTEN, 1",
        "MANIFEST_WRITTEN, 2",
        "MANIFEST_WRITTEN, 4",
        "MANIFEST_WRITTEN, 7",
        "MANIFEST_COMMITTED, 2",
        "MANIFEST_COMMITTED, 5",
        "ROWS_PARTLY_DELETED, 1",
        "ROWS_DELETED, 1",
        "ROWS_DELETED, 4",
        "FILE_REMOVED, 1",
        "FILE_REMOVED, 2",
        "FILE_REMOVED, 4",
        "FILE_REMOVED, 5",
        "FILE_REMOVED, 7"
    })
    void everyRowIsThereOnceMoreSteps(Step step, int time) throws Exception {
        verify(step, time);
    }

    private void verify(Step step, int time) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltingWriter.class.getName(),
                        directory.toString(),
                        step.name(),
                        Integer.toString(time))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s", Files.readString(directory.resolve("output")))
                .isEqualTo(137);
        try (TableStore store = HaltingWriter.open(directory)) {
            List<String> before;
            try (SqlFace face = open(store, step)) {
                before = contents(face);
                awaitJobs(face);
                assertThat(contents(face))
                        .as("after the interrupted job was resumed")
                        .isEqualTo(before);
                assertDroppedOrWhole(face);
                Session root = face.session("root");
                HaltingWriter.run(root, "FLUSH TABLE shared");
                HaltingWriter.run(root, "FLUSH TABLE basket");
                assertThat(contents(face)).as("after another flush").isEqualTo(before);
                HaltingWriter.run(root, "COMPACT TABLE shared");
                assertThat(contents(face)).as("after a compaction").isEqualTo(before);
            }
            assertNoLeftovers(store);
        }
    }

    /** With the clock of the killed process, so that expired files stay expired. */
    private SqlFace open(TableStore store, Step step) {
        Duration ahead = step == Step.FILE_REMOVED ? Duration.ofHours(26) : Duration.ZERO;
        InstantSource clock = () -> Instant.now().plus(ahead);
        return SqlFace.open(store, SqlOptions.in(directory.resolve("sql")), List::of, clock);
    }

    /** Both ways of reading, and each row by its key; the ids are those that the rounds of the writer leave. */
    private static List<String> contents(SqlFace face) {
        Session root = face.session("root");
        List<String> shared = TierFixture.ask(root, "SELECT id, v FROM shared ORDER BY id");
        assertThat(TierFixture.ask(root, "SELECT id, max(v) FROM shared GROUP BY id HAVING count(*) = 1 ORDER BY id"))
                .isEqualTo(shared);
        assertThat(shared.size()).isIn(HaltingWriter.ROWS, 630, 560, 490);
        for (int id = 0; id < HaltingWriter.ROWS; id += 197) {
            String prefix = id + " | ";
            List<String> row =
                    shared.stream().filter(line -> line.startsWith(prefix)).toList();
            assertThat(TierFixture.ask(root, "SELECT id, v FROM shared WHERE id = " + id))
                    .isEqualTo(row);
        }
        List<String> all = new ArrayList<>(shared);
        for (int user = 0; user < HaltingWriter.USERS; user++) {
            List<String> rows = TierFixture.ask(face.session("user" + user), "SELECT id, v FROM basket ORDER BY id");
            assertThat(rows).hasSize(HaltingWriter.ROWS / HaltingWriter.USERS);
            all.addAll(rows);
        }
        return all;
    }

    /** A dropped table has no file left; one that was not dropped has all its rows. */
    private void assertDroppedOrWhole(SqlFace face) {
        boolean there = !TierFixture.ask(
                        face.session("root"), "SELECT 1 FROM information_schema.tables WHERE table_name = 'gone'")
                .isEmpty();
        if (there) {
            for (int user = 0; user < HaltingWriter.USERS; user++) {
                assertThat(TierFixture.ask(face.session("user" + user), "SELECT count(*) FROM gone"))
                        .containsExactly("2");
            }
        } else {
            assertThat(directory.resolve("sql/tables/default/gone")).doesNotExist();
        }
    }

    private static void awaitJobs(SqlFace face) {
        Session root = face.session("root");
        Await.until(
                "all jobs ended",
                () -> TierFixture.ask(root, "SELECT job_id FROM system.jobs WHERE finished_at IS NULL")
                        .isEmpty());
        assertThat(TierFixture.ask(root, "SELECT message FROM system.jobs WHERE status <> 'completed'"))
                .isEmpty();
    }

    /** Every file on the storage is one that a manifest lists. */
    private void assertNoLeftovers(TableStore store) throws IOException {
        Path tables = directory.resolve("sql/tables");
        Set<String> listed = new TreeSet<>();
        Set<String> there = new TreeSet<>();
        try (Stream<Path> files = Files.walk(tables)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = tables.relativize(file).toString();
                assertThat(name).doesNotEndWith(".tmp");
                if (name.endsWith(".parquet")) {
                    there.add(name);
                }
            }
        }
        Manifests manifests = new Manifests(store);
        for (int table : manifests.tables(store)) {
            try (Manifests.Walk history = manifests.historyWalk(store, table)) {
                while (history.next()) {
                    history.manifest().segments().forEach(segment -> listed.add(segment.path()));
                }
            }
        }
        assertThat(there).isEqualTo(listed);
        Matcher version = Pattern.compile("\"version\" : (\\d+)")
                .matcher(Files.readString(tables.resolve("default/shared/shared/manifest.json")));
        assertThat(version.find()).isTrue();
    }
}
