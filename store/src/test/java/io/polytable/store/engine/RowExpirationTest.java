package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.group.GroupedStore;
import io.polytable.store.group.Grouping;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Deadline;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.deadline.DeadlineCheck;
import io.polytable.table.deadline.DeadlineIndex;
import io.polytable.table.deadline.StoredRows;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is particular to deadlines in the engine: its index, its thread, restarts, backups, groups. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowExpirationTest {
    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock();

    private static TableSpec spec(String name) {
        TableSpec plain = EngineFixture.spec(name);
        return new TableSpec(
                plain.name(),
                plain.kind(),
                plain.columns(),
                plain.partitionKey(),
                plain.sortKey(),
                TableOptions.DEFAULT.withRowDeadlines(Optional.of(Duration.ofDays(1))));
    }

    private Engine open(Path at) {
        return EmbeddedStore.open(at, EngineFixture.eager().withClock(clock), EngineFixture.LOG);
    }

    private static long entries(Engine engine) {
        return count(engine, engine.catalog().deadlines().orElseThrow());
    }

    private static long count(Engine engine, EngineTable table) {
        long count = 0;
        try (Cursor cursor = engine.scanStored(table, KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /** Waits until the store's own thread has removed so many rows. */
    private static void awaitRemoved(TableStore store, Table table, int rows) {
        int removed = 0;
        try (ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
            while (removed < rows) {
                removed += (int) feed.poll(1000, Duration.ofSeconds(1)).stream()
                        .filter(change -> change.kind() == Change.Kind.DELETE)
                        .count();
            }
        }
    }

    @Test
    void theEngineRemovesRowsByItself() {
        try (Engine engine = open(directory)) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < 1000; i++) {
                EngineFixture.put(engine, table, "k" + i, "v");
            }
            engine.flush();
            clock.advance(Duration.ofDays(2));
            assertThat(EngineFixture.keys(engine.scan(table, KeyRange.ALL))).isEmpty();
            awaitRemoved(engine, table, 1000);
            assertThat(count(engine, EngineTable.of(table))).isZero();
            assertThat(entries(engine)).isZero();
        }
    }

    @Test
    void aRowThatIsWrittenOftenLeavesFewEntries() {
        try (Engine engine = open(directory)) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < 5000; i++) {
                EngineFixture.put(engine, table, "session", "v" + i);
                clock.advance(Duration.ofSeconds(17));
            }
            assertThat(entries(engine)).isLessThanOrEqualTo(130);
            assertThat(EngineFixture.get(engine, table, "session")).contains("v4999");
            assertThat(engine.missingDeadlines(false)).isZero();
        }
    }

    @Test
    void aStoreWithoutDeadlinesHasNoIndex() {
        try (Engine engine = open(directory)) {
            Table plain = engine.create(EngineFixture.spec("plain"));
            EngineFixture.put(engine, plain, "k", "v");
            assertThat(engine.catalog().deadlines()).isEmpty();
            assertThat(engine.removeExpired(10)).isZero();
        }
    }

    @Test
    void theIndexIsNobodyElses() {
        try (Engine engine = open(directory)) {
            engine.create(spec("t"));
            assertThat(engine.tables()).extracting(table -> table.name().name()).containsExactly("t");
            assertThat(engine.find(DeadlineIndex.SPEC.name())).isEmpty();
            for (Runnable refused : List.<Runnable>of(
                    () -> engine.create(DeadlineIndex.SPEC), () -> engine.drop(DeadlineIndex.SPEC.name()))) {
                assertThat(catchThrowableOfType(StoreException.class, refused::run)
                                .error())
                        .isIn(StoreError.BAD_SPEC, StoreError.NO_SUCH_TABLE);
            }
        }
    }

    @Test
    void aCrashLosesNoDeadline() {
        Engine crashed = open(directory);
        Table table = crashed.create(spec("t"));
        crashed.commit(new Batch().putUntil(table, EngineFixture.key("a"), Bytes.utf8("x"), clock.millis() + 1000));
        EngineFixture.put(crashed, table, "b", "y").awaitDurable();
        crashed.abandon();
        clock.advanceMillis(1000);
        try (Engine engine = open(directory)) {
            Table again = engine.find(table.name()).orElseThrow();
            assertThat(EngineFixture.keys(engine.scan(again, KeyRange.ALL))).containsExactly("b");
            awaitRemoved(engine, again, 1);
            assertThat(count(engine, EngineTable.of(again))).isOne();
        }
    }

    @Test
    void whatExpiredSinceABackupIsNotShownByItsRestore() {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (Engine engine = open(directory.resolve("store"))) {
            Table table = engine.create(spec("t"));
            engine.commit(new Batch()
                    .putUntil(table, EngineFixture.key("a"), Bytes.utf8("x"), clock.millis() + 1000)
                    .putUntil(table, EngineFixture.key("b"), Bytes.utf8("y"), Long.MAX_VALUE));
            Backup.write(engine, backup);
        }
        clock.advanceMillis(1000);
        Backup.restore(backup, restored);
        try (Engine engine = open(restored)) {
            Table table = engine.find(spec("t").name()).orElseThrow();
            assertThat(EngineFixture.keys(engine.scan(table, KeyRange.ALL))).containsExactly("b");
            while (entries(engine) > 0) {
                engine.removeExpired(10);
            }
            assertThat(count(engine, EngineTable.of(table))).isOne();
        }
    }

    @Test
    void everyGroupHasAnIndexOfItsOwn() {
        Grouping grouping = new Grouping(3, name -> name.name().charAt(1) - '0');
        EngineOptions options = EngineFixture.eager().withClock(clock);
        for (int round = 0; round < 2; round++) {
            try (GroupedStore store =
                    EmbeddedStore.openGroups(directory, grouping, options, EngineFixture.LOG, Recovery.Progress.NONE)) {
                for (String name : List.of("t0", "t2")) {
                    Table table = store.create(spec(name));
                    store.commit(new Batch()
                            .putUntil(table, EngineFixture.key("k" + round), Bytes.utf8("x"), clock.millis() + 1000));
                }
                assertThat(store.tables())
                        .extracting(table -> table.name().name())
                        .containsExactly("t0", "t2");
                assertThat(store.engines().get(1).catalog().deadlines()).isEmpty();
                clock.advanceMillis(1000);
                store.flush();
                for (String name : List.of("t0", "t2")) {
                    Table table = store.create(spec(name));
                    assertThat(EngineFixture.keys(store.scan(table, KeyRange.ALL)))
                            .isEmpty();
                    awaitRemoved(store, table, 1 + round);
                }
            }
        }
    }

    @Test
    void aMissingEntryIsFoundAndWritten() {
        try (Engine engine = open(directory)) {
            Table table = engine.create(spec("t"));
            EngineFixture.put(engine, table, "a", "x");
            EngineFixture.put(engine, table, "b", "y");
            assertThat(engine.missingDeadlines(false)).isZero();
            EngineTable own = EngineTable.of(table);
            long deadline =
                    Deadline.of(engine.readStored(own, EngineFixture.key("a")).orElseThrow());
            RowKey entry = DeadlineIndex.entry(
                    deadline, table.id(), EngineFixture.key("a").bytes());
            engine.commitStored(new Batch().delete(engine.catalog().deadlines().orElseThrow(), entry));
            assertThat(engine.missingDeadlines(false)).isOne();
            assertThat(engine.missingDeadlines(true)).isOne();
            assertThat(engine.missingDeadlines(false)).isZero();
            engine.flush();
            clock.advance(Duration.ofDays(2));
            awaitRemoved(engine, table, 2);
            assertThat(count(engine, own)).isZero();
        }
    }

    @Test
    void aRowThatIsRemovedWhileACheckRunsIsNoFinding() {
        try (Engine engine = open(directory)) {
            Table table = engine.create(spec("t"));
            EngineFixture.put(engine, table, "a", "x");
            EngineFixture.put(engine, table, "b", "y");
            Table index = engine.catalog().deadlines().orElseThrow();
            assertThat(new DeadlineCheck(new RemovedMeanwhile(engine), index).run(table, false))
                    .isZero();
            assertThat(count(engine, EngineTable.of(table))).isZero();
        }
    }

    /** All rows go between the opening of a scan and its first row. */
    private final class RemovedMeanwhile implements StoredRows {
        private final Engine engine;

        RemovedMeanwhile(Engine engine) {
            this.engine = engine;
        }

        @Override
        public Optional<Bytes> readStored(Table table, RowKey key) {
            return engine.readStored(EngineTable.of(table), key);
        }

        @Override
        public Cursor scanStored(Table table, KeyRange range, long limit) {
            Cursor cursor = engine.scanStored(EngineTable.of(table), range, Direction.FORWARD, limit);
            clock.advance(Duration.ofDays(2));
            while (entries(engine) > 0) {
                engine.removeExpired(100);
            }
            return cursor;
        }

        @Override
        public Commit commitStored(Batch batch) {
            return engine.commitStored(batch);
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public List<Table> expiringByKey() {
            return List.of();
        }
    }
}
