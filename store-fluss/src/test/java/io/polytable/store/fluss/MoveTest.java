package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.fluss.ownership.LeaseRecord;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that moves between files and Fluss, and a machine that stops in the middle of it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MoveTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "moved"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);
    private static final EngineOptions ENGINE = EngineOptions.DEFAULT.withMemory(32 << 20, 64 << 20);
    private static final FileLogOptions FILES = FileLogOptions.defaults().withSegmentBytes(1 << 20);
    private static final RowKey KEY = new RowKey(Bytes.utf8("k"), 1);

    @TempDir
    Path disk;

    private Path data() {
        return disk.resolve("data");
    }

    private Path log() {
        return data().resolve("log");
    }

    private Engine openFiles() {
        return EmbeddedStore.open(data(), ENGINE, FILES);
    }

    private static FlussSettings settings(String database) {
        return LogFixture.settings().withDatabase(database);
    }

    private FlussStore openFluss(String database) {
        return FlussStore.open(data(), ENGINE, settings(database), LogFixture.OPTIONS, Recovery.Progress.NONE);
    }

    private Move move(String database) {
        return new Move(data(), Membership.alone(), ENGINE, settings(database), LogFixture.OPTIONS);
    }

    private static void put(Engine engine, String value) {
        engine.commit(new Batch().put(engine.create(SPEC), KEY, Bytes.utf8(value)))
                .awaitDurable();
    }

    private static String value(Engine engine) {
        Table table = engine.find(SPEC.name()).orElseThrow();
        return engine.read(table, KEY).orElseThrow().utf8();
    }

    @Test
    void aMachineThatStopsBetweenTheTwoRenamesGoesOnWithTheNewLog() throws IOException {
        try (Engine engine = openFiles()) {
            put(engine, "in files");
        }
        copyLogTo(disk.resolve("former"));
        move("move_there").toFluss(FILES, Recovery.Progress.NONE);
        stopBetweenRenames(disk.resolve("former"));
        try (FlussStore store = openFluss("move_there")) {
            assertThat(value(store.engine())).isEqualTo("in files");
            put(store.engine(), "in Fluss");
        }
        copyLogTo(disk.resolve("note"));
        move("move_there").toFiles(Recovery.Progress.NONE);
        stopBetweenRenames(disk.resolve("note"));
        try (Engine engine = openFiles()) {
            assertThat(value(engine)).isEqualTo("in Fluss");
            put(engine, "in files again");
        }
        // What the former log left must not be in the way of another move.
        assertThat(data().resolve("log.old")).isNotEmptyDirectory();
        move("move_there_again").toFluss(FILES, Recovery.Progress.NONE);
        try (FlussStore store = openFluss("move_there_again")) {
            assertThat(value(store.engine())).isEqualTo("in files again");
        }
        assertThat(data().resolve("log.old")).doesNotExist();
    }

    /** The log in Fluss has begun, and the directory still has its own: neither has lost anything. */
    @Test
    void aMoveThatWasInterruptedBeforeTheRenamesIsBegunAgain() throws IOException {
        try (Engine engine = openFiles()) {
            put(engine, "first");
        }
        copyLogTo(disk.resolve("files"));
        move("move_twice").toFluss(FILES, Recovery.Progress.NONE);
        Files.move(log(), data().resolve("log.new"));
        Files.move(disk.resolve("files"), log());
        try (Engine engine = openFiles()) {
            assertThat(value(engine)).isEqualTo("first");
            put(engine, "second");
        }
        move("move_twice").toFluss(FILES, Recovery.Progress.NONE);
        try (FlussStore store = openFluss("move_twice")) {
            assertThat(value(store.engine())).isEqualTo("second");
        }
    }

    /** Also where the confirmation came too late for whoever began the log. */
    @Test
    void aMoveThatWasInterruptedBeforeTheDirectoryKnewTheNewLogIsBegunAgain() throws IOException {
        try (Engine engine = openFiles()) {
            put(engine, "first");
        }
        copyLogTo(disk.resolve("files"));
        move("move_unnoted").toFluss(FILES, Recovery.Progress.NONE);
        StoreDirectory.deleteTree(log());
        Files.move(disk.resolve("files"), log());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> move("move_unnoted").toFluss(FILES, Recovery.Progress.NONE))
                .withMessageContaining("There is a log in Fluss already");
        try (FlussCluster cluster = FlussCluster.open(settings("move_unnoted"));
                FlussLog left = FlussLog.open(cluster, LogFixture.OPTIONS)) {
            move("move_unnoted").note(left.checkpoint());
        }
        move("move_unnoted").toFluss(FILES, Recovery.Progress.NONE);
        try (FlussStore store = openFluss("move_unnoted")) {
            assertThat(value(store.engine())).isEqualTo("first");
        }
        assertThat(data().resolve("move.checkpoint")).doesNotExist();
    }

    @Test
    void nobodyOpensTheDirectoryWhileItsImageGoesToFluss() throws IOException {
        try (Engine engine = openFiles()) {
            put(engine, "moved");
        }
        // What a move left that was killed while it wrote the image must not be in the way.
        Files.createDirectories(data().resolve("checkpoint.out.unfinished").resolve("state"));
        List<Long> told = new ArrayList<>();
        move("move_alone").toFluss(FILES, (done, all) -> {
            told.add(done);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> StoreDirectory.lock(data()))
                    .withMessageContaining("Another process has the data directory open");
        });
        assertThat(told).isNotEmpty();
        try (FlussStore store = openFluss("move_alone")) {
            assertThat(value(store.engine())).isEqualTo("moved");
        }
    }

    /** It finds the log unused, as the move did, and serves: what it acknowledged stays. */
    @Test
    void aServerThatUsesTheLogWhileTheImageGoesToFlussLosesNothing() {
        try (Engine engine = openFiles()) {
            put(engine, "in files");
        }
        List<Long> end = new ArrayList<>();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> move("move_raced").toFluss(FILES, (done, all) -> {
                    if (end.isEmpty()) {
                        end.add(appendBeside("move_raced"));
                    }
                }))
                .satisfies(refused -> assertThat(refused.error()).isEqualTo(StoreError.IN_USE));
        try (FlussCluster cluster = FlussCluster.open(settings("move_raced"));
                FlussLog log = FlussLog.open(cluster, LogFixture.OPTIONS)) {
            assertThat(end).containsExactly(log.end());
            assertThat(RecordBatches.read(log, log.first())).containsExactly(RecordBatches.padded("acknowledged"));
        }
        try (Engine engine = openFiles()) {
            assertThat(value(engine)).isEqualTo("in files");
        }
    }

    /** Another server, which takes the log over from the move as if the move's lease had run out; returns the end. */
    private static long appendBeside(String database) {
        try (FlussCluster cluster = FlussCluster.open(settings(database))) {
            LogTable table = LogTable.open(cluster, LogFixture.OPTIONS.table());
            LeaseRecord lease =
                    LeaseRecord.decode(table.read(LogKey.LEASE).orElseThrow().body());
            FlussLogOptions takesOver = LogFixture.OPTIONS.withFormerOwner(Optional.of(lease.owner()));
            try (FlussLog log = FlussLog.open(cluster, takesOver)) {
                log.append(RecordBatches.after(log, "acknowledged"));
                log.sync();
                return log.end();
            }
        }
    }

    private void copyLogTo(Path target) throws IOException {
        try (var files = Files.walk(log())) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(log().relativize(file).toString()));
            }
        }
    }

    /** As after the first rename of a move that is done: no log, the new one beside it, and the former one. */
    private void stopBetweenRenames(Path former) throws IOException {
        Files.move(log(), data().resolve("log.new"));
        Files.move(former, data().resolve("log.old"));
    }

    @Test
    void piecesOfACheckpointThatWasInterruptedGoWithTheNextOne() {
        FlussLogOptions startOver = LogFixture.OPTIONS.withAnew(FlussLogOptions.StartAfter.NOTHING);
        try (FlussStore store =
                FlussStore.open(data(), ENGINE, settings("unfinished"), startOver, Recovery.Progress.NONE)) {
            put(store.engine(), "one");
            CheckpointTable table = CheckpointTable.open(store.cluster(), LogFixture.OPTIONS.checkpointTable());
            Path image = disk.resolve("image");
            Backup.Contents unused = Backup.write(store.engine(), image);
            // Written, and never named by the log: as when the server is killed before it gets there.
            long orphan = new Checkpoint(table).write(image, store.log().epoch(), Recovery.Progress.NONE);
            CheckpointTable.Piece list = new CheckpointTable.Piece(orphan, "", 0);
            CheckpointTable.Piece current = new CheckpointTable.Piece(orphan, "state/CURRENT", 0);
            assertThat(table.read(current)).isPresent();

            store.checkpoint();

            assertThat(table.read(list)).isEmpty();
            assertThat(table.read(current)).isEmpty();
            long named = store.log().checkpoint();
            // Whoever was overtaken knows an older name, and must not touch what a later owner wrote.
            new Checkpoint(table).removeUnfinished(store.log().epoch() - 1, 0);
            assertThat(table.read(new CheckpointTable.Piece(named, "state/CURRENT", 0)))
                    .isPresent();
            store.checkpoint();
        }
        try (FlussStore store = openFluss("unfinished")) {
            assertThat(value(store.engine())).isEqualTo("one");
        }
    }
}
