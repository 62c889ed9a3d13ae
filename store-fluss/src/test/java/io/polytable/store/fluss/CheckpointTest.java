package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.Backup;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged comes back from Fluss alone, and the log does not grow forever. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CheckpointTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "rows"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);
    private static final EngineOptions ENGINE = EngineOptions.DEFAULT.withMemory(32 << 20, 64 << 20);
    private static final FlussLogOptions LOG = LogFixture.OPTIONS;

    @TempDir
    Path disk;

    private FlussStore begin(String directory) {
        return open(directory, LOG.withAnew(FlussLogOptions.StartAfter.NOTHING));
    }

    private FlussStore open(String directory) {
        return open(directory, LOG);
    }

    private FlussStore open(String directory, FlussLogOptions options) {
        return FlussStore.open(disk.resolve(directory), ENGINE, LogFixture.cluster(), options, Recovery.Progress.NONE);
    }

    private static void put(FlussStore store, int from, int to) {
        Engine engine = store.engine();
        Table table = engine.create(SPEC);
        for (int i = from; i < to; i++) {
            engine.commit(new Batch().put(table, key(i), Bytes.utf8("value " + i)));
        }
        engine.latest().durable().toCompletableFuture().join();
    }

    private static RowKey key(int number) {
        return new RowKey(Bytes.utf8("key " + number), 1);
    }

    private static void assertHolds(FlussStore store, int rows) {
        Table table = store.engine().find(SPEC.name()).orElseThrow();
        for (int i = 0; i < rows; i++) {
            assertThat(store.engine().read(table, key(i)).map(Bytes::utf8)).contains("value " + i);
        }
        assertThat(store.engine().read(table, key(rows))).isEmpty();
    }

    @Test
    void anEmptyDiskIsFilledFromTheLog() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 300);
        }
        try (FlussStore store = open("second")) {
            assertHolds(store, 300);
        }
    }

    @Test
    void anEmptyDiskIsFilledFromTheCheckpointAndTheLogBehindIt() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 300);
            assertThat(store.checkpoint().get(0).position()).isPositive();
            put(store, 300, 500);
        }
        List<Long> told = Collections.synchronizedList(new ArrayList<>());
        try (FlussStore store = FlussStore.open(
                disk.resolve("second"), ENGINE, LogFixture.cluster(), LOG, (done, all) -> told.add(done))) {
            assertHolds(store, 500);
            put(store, 500, 510);
        }
        assertThat(told).isNotEmpty();
        try (FlussStore store = open("second")) {
            assertHolds(store, 510);
        }
    }

    @Test
    void whatACheckpointHasIsRemovedFromTheLog() {
        LogTable table = LogTable.open(LogFixture.cluster(), LOG.table());
        try (FlussStore store = begin("first")) {
            for (int i = 0; i < 20; i++) {
                put(store, 10 * i, 10 * i + 10);
            }
            LogKey first = store.log().firstRow();
            long end = store.log().end();
            store.checkpoint();
            assertThat(store.log().first()).isGreaterThan(end - 10);
            put(store, 200, 210);
            awaitGone(table, first);
            store.checkpoint();
            assertHolds(store, 210);
        }
        try (FlussStore store = open("second")) {
            assertHolds(store, 210);
        }
    }

    private static void awaitGone(LogTable table, LogKey key) {
        Await.until("the row is removed", () -> table.read(key).isEmpty());
    }

    @Test
    void aCheckpointIsMadeWhenTheLogHasGrown() {
        try (FlussStore store =
                open("first", LOG.withAnew(FlussLogOptions.StartAfter.NOTHING).withCheckpointBytes(20_000))) {
            put(store, 0, 1000);
            Await.until("the log names a checkpoint", () -> store.log().checkpoint() != 0);
            put(store, 1000, 1100);
        }
        try (FlussStore store = open("second")) {
            assertHolds(store, 1100);
        }
    }

    @Test
    void aCheckpointWhoseWriterGaveUpWaitingIsNamedAndThenSuperseded() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
            Path image = disk.resolve("image");
            Backup.Contents contents = Backup.write(store.engine(), image);
            CheckpointTable table = CheckpointTable.open(store.cluster(), LOG.checkpointTable());
            long number = new Checkpoint(table).write(image, store.log().epoch(), Recovery.Progress.NONE);
            store.log().beginTrim(contents.position() + 1, number);
            store.log().awaitTrim();
            assertThat(store.log().checkpoint()).isEqualTo(number);
            put(store, 100, 200);
            store.checkpoint();
            assertThat(store.log().checkpoint()).isNotEqualTo(number);
            assertThat(table.read(new CheckpointTable.Piece(number, "", 0))).isEmpty();
        }
        try (FlussStore store = open("second")) {
            assertHolds(store, 200);
        }
    }

    @Test
    void aCheckpointWhoseRemovalWasInterruptedIsRemovedByTheNextServer() {
        long former;
        CheckpointTable table;
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
            store.checkpoint();
            former = store.log().checkpoint();
            put(store, 100, 200);
            Path image = disk.resolve("image");
            Backup.Contents contents = Backup.write(store.engine(), image);
            table = CheckpointTable.open(LogFixture.cluster(), LOG.checkpointTable());
            Checkpoint checkpoints = new Checkpoint(table);
            long number = checkpoints.write(image, store.log().epoch(), Recovery.Progress.NONE);
            checkpoints.supersede(store.log().epoch(), former);
            checkpoints.removeSuperseded(store.log().epoch(), store.log().checkpoint());
            assertThat(table.read(new CheckpointTable.Piece(former, "", 0))).isPresent();
            store.log().beginTrim(contents.position() + 1, number);
            store.log().awaitTrim();
        }
        try (FlussStore store = open("first")) {
            put(store, 200, 210);
            store.checkpoint();
        }
        assertThat(table.read(new CheckpointTable.Piece(former, "", 0))).isEmpty();
        try (FlussStore store = open("second")) {
            assertHolds(store, 210);
        }
    }

    /** The new owner was killed in the middle of a checkpoint as well: its notes are all that leads to the pieces. */
    @Test
    void aFencedOwnerThatNotesItsCheckpointLateHidesNoneOfTheNewOwner() throws IOException {
        CheckpointTable table = CheckpointTable.open(LogFixture.cluster(), LOG.checkpointTable());
        Path image = Files.createDirectories(disk.resolve("image"));
        Files.writeString(image.resolve("file"), "content");
        long fenced;
        try (FlussStore store = begin("first")) {
            put(store, 0, 10);
            fenced = store.log().epoch();
        }
        long number;
        try (FlussStore store = open("second")) {
            number = new Checkpoint(table).write(image, store.log().epoch(), Recovery.Progress.NONE);
        }
        long late = new Checkpoint(table).write(image, fenced, Recovery.Progress.NONE);
        try (FlussStore store = open("second")) {
            put(store, 10, 20);
            store.checkpoint();
        }
        assertThat(table.read(new CheckpointTable.Piece(number, "file", 0))).isEmpty();
        assertThat(table.read(new CheckpointTable.Piece(late, "file", 0))).isEmpty();
        assertThat(table.read(new CheckpointTable.Piece(late, "", 0))).isEmpty();
    }

    @Test
    void anImageThatWasInterruptedIsNotInTheWayOfTheNext() throws IOException {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
            Path left = disk.resolve("first").resolve("checkpoint.out.unfinished");
            Files.createDirectories(left.resolve("state"));
            assertThat(store.checkpoint().get(0).position()).isPositive();
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void aHalfWrittenCheckpointIsIgnored() throws IOException {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
            store.checkpoint();
            put(store, 100, 200);
            CheckpointTable table = CheckpointTable.open(store.cluster(), LOG.checkpointTable());
            table.write(new CheckpointTable.Piece(77, "state/CURRENT", 0), new byte[10]);
            table.settle();
        }
        Path interrupted = Files.createDirectories(disk.resolve("second").resolve("checkpoint.tmp"));
        Files.createDirectories(disk.resolve("second").resolve("state"));
        try (FlussStore store = open("second")) {
            assertHolds(store, 200);
        }
        assertThat(interrupted).doesNotExist();
    }

    @Test
    void aDiskOlderThanTheLogIsFilledFromTheCheckpoint() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
        }
        try (FlussStore store = open("second")) {
            put(store, 100, 200);
            store.checkpoint();
            put(store, 200, 300);
        }
        try (FlussStore store = open("first")) {
            assertHolds(store, 300);
            put(store, 300, 310);
        }
        try (FlussStore store = open("first")) {
            assertHolds(store, 310);
        }
    }

    @Test
    void aTableThatWasCreatedAnewHasNoneOfItsFormerRowsOnAnOlderDisk() {
        try (FlussStore store = begin("first")) {
            put(store, 10, 100);
        }
        try (FlussStore store = open("second")) {
            store.engine().drop(SPEC.name());
            put(store, 0, 10);
        }
        try (FlussStore store = open("first")) {
            assertHolds(store, 10);
        }
    }

    /** Killed while it wrote down where its log is: at a first start, or in a restore. */
    @Test
    void aNoteThatWasNotFinishedIsNotTakenForALogInFiles() throws IOException {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
            store.checkpoint();
        }
        Path started = Files.createDirectories(disk.resolve("second").resolve("log"));
        Files.writeString(started.resolve("fluss.properties.tmp"), "incarn");
        try (FlussStore store = open("second")) {
            assertHolds(store, 100);
        }
        Path restoring = disk.resolve("third");
        Files.createDirectories(restoring.resolve("checkpoint.tmp"));
        Files.createDirectories(restoring.resolve("log"));
        Files.writeString(restoring.resolve("log").resolve("something"), "of the download");
        try (FlussStore store = open("third")) {
            assertHolds(store, 100);
        }
    }

    @Test
    void aRestoreOverAnOlderDiskMayBeInterrupted() throws IOException {
        try (FlussStore store = begin("first")) {
            put(store, 0, 100);
        }
        try (FlussStore store = open("second")) {
            put(store, 100, 200);
            store.checkpoint();
        }
        Path older = disk.resolve("first");
        Files.createDirectories(older.resolve("checkpoint.tmp"));
        Files.delete(older.resolve("FORMAT"));
        Files.delete(older.resolve("state").resolve("CURRENT"));
        try (FlussStore store = open("first")) {
            assertHolds(store, 200);
        }
    }

    /** Where it is kept the lease is renewed forever: nobody else gets the log. */
    @Test
    void anOpeningThatFailsHalfWayLetsGoOfTheLog() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 10);
            store.checkpoint();
        }
        Recovery.Progress failing = (done, all) -> {
            throw new IllegalStateException("interrupted");
        };
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> FlussPartition.open(
                        disk.resolve("second"), ENGINE, Membership.alone(), LogFixture.cluster(), LOG, failing));
        try (FlussStore store = open("second", LOG.withClaimMax(LogFixture.LEASE.multipliedBy(4)))) {
            assertHolds(store, 10);
        }
    }

    @Test
    void aStateIsNotContinuedWithAnotherLog() {
        try (FlussStore store = begin("first")) {
            put(store, 0, 10);
        }
        begin("second").close();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open("first"))
                .withMessageContaining("is not the one that this data directory belongs to");
    }
}
