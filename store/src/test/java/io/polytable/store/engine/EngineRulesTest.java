package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.keys;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.log.file.FileLog;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rules that make the engine correct, one test each. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EngineRulesTest {
    @TempDir
    Path directory;

    private EngineFixture fixture = new EngineFixture(Path.of(""));

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    private static void expect(StoreError error, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void theStateIsNeverAheadOfTheSyncedLog() {
        Engine engine = fixture.open(eager().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        for (int i = 0; i < 2000; i++) {
            put(engine, table, "k" + i, "v".repeat(50));
            if (i % 50 == 0) {
                engine.flush();
                assertThat(engine.statistics().values().get("applied_position"))
                        .isLessThanOrEqualTo(fixture.log().synced());
            }
        }
        engine.settle();
        assertThat(fixture.log().synced())
                .isEqualTo(engine.statistics().values().get("applied_position"));
        engine.close();
    }

    @Test
    void aStateAheadOfTheLogRefusesToStart() throws Exception {
        Engine engine = fixture.open(eager());
        put(engine, engine.create(spec("t")), "k", "v");
        engine.close();
        try (var files = Files.list(directory.resolve("data/log"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        expect(StoreError.CORRUPT, () -> fixture.open(eager()));
    }

    @Test
    void aFullDiskRefusesWritesBeforeAnythingIsVisibleAndHealsItself() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, "a", "1");
        fixture.log().full = true;
        expect(StoreError.NO_ROOM, () -> put(engine, table, "b", "2"));
        assertThat(get(engine, table, "b")).isEmpty();
        assertThat(get(engine, table, "a")).contains("1");
        fixture.log().full = false;
        put(engine, table, "b", "3");
        assertThat(get(engine, table, "b")).contains("3");
        engine.close();
    }

    @Test
    void afterAFailedWriteNothingIsAnsweredAndTheLogDecides() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, "a", "kept").durable().toCompletableFuture().join();
        fixture.log().failAppend = true;
        Commit lost = put(engine, table, "a", "lost");
        expect(StoreError.FAILED, engine::flush);
        assertThat(lost.isDurable()).isFalse();
        expect(StoreError.FAILED, () -> get(engine, table, "a"));
        expect(StoreError.FAILED, () -> put(engine, table, "b", "2"));
        engine.close();
        Engine again = fixture.open(lazy());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "a")).contains("kept");
        again.close();
    }

    @Test
    void aFailedSyncIsFatalAndTellsThoseWhoWait() {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.ALWAYS));
        Table table = engine.create(spec("t"));
        fixture.log().failSync = true;
        Commit commit = put(engine, table, "a", "1");
        assertThatThrownBy(() -> commit.durable().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.FAILED));
        fixture.log().failSync = false;
        expect(StoreError.FAILED, () -> put(engine, table, "b", "2"));
        engine.close();
    }

    @Test
    void oneFlushWritesTheCommitsOfAllInOneGroup() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        long before = fixture.log().end();
        for (int i = 0; i < 100; i++) {
            put(engine, table, "k" + i, "v");
        }
        assertThat(engine.latest().isDurable()).isFalse();
        engine.flush();
        assertThat(engine.latest().isDurable()).isTrue();
        assertThat(fixture.log().calls()).contains("append " + (before + 1) + ".." + (before + 100));
        engine.close();
    }

    @Test
    void alwaysIsDurableOnlyWhenSynced() {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.ALWAYS));
        Table table = engine.create(spec("t"));
        Commit commit = put(engine, table, "a", "1");
        commit.durable().toCompletableFuture().join();
        assertThat(fixture.log().synced()).isEqualTo(fixture.log().end());
        engine.close();
    }

    @Test
    void aCursorAndASnapshotKeepTheirMomentWhileRowsMove() {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        put(engine, table, "ka", "1");
        put(engine, table, "kb", "1");
        Cursor cursor = engine.scan(table, KeyRange.partition(Bytes.utf8("k")));
        Snapshot snapshot = engine.snapshot();
        engine.commit(
                new Batch().deleteRange(table, KeyRange.ALL).put(table, EngineFixture.key("kc"), Bytes.utf8("2")));
        engine.settle();
        assertThat(keys(cursor)).containsExactly("ka", "kb");
        assertThat(keys(snapshot.scan(table, KeyRange.ALL))).containsExactly("ka", "kb");
        assertThat(snapshot.read(table, EngineFixture.key("kc"))).isEmpty();
        assertThat(snapshot.read(table, EngineFixture.key("ka"))).isPresent();
        snapshot.close();
        assertThat(keys(engine.scan(table, KeyRange.ALL))).containsExactly("kc");
        engine.close();
    }

    @Test
    void aRangeDeleteHidesWhatTheStateAndTheCacheHold() {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        for (int i = 0; i < 200; i++) {
            put(engine, table, "k" + i, "v");
        }
        engine.settle();
        Engine again = reopened(engine, lazy());
        Table same = again.find(spec("t").name()).orElseThrow();
        assertThat(get(again, same, "k7")).contains("v");
        again.commit(new Batch().deleteRange(same, KeyRange.ALL).put(same, EngineFixture.key("k8"), Bytes.utf8("new")));
        assertThat(get(again, same, "k7")).isEmpty();
        assertThat(get(again, same, "k9")).isEmpty();
        assertThat(get(again, same, "k8")).contains("new");
        again.settle();
        assertThat(keys(again.scan(same, KeyRange.ALL))).containsExactly("k8");
        assertThat(get(again, same, "k7")).isEmpty();
        again.close();
    }

    private Engine reopened(Engine engine, EngineOptions options) {
        engine.close();
        return fixture.open(options);
    }

    @Test
    void thousandsOfRangeDeletesNeitherPileUpNorLeak() {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        for (int i = 0; i < 3000; i++) {
            engine.commit(new Batch()
                    .deleteRange(table, KeyRange.prefix(Bytes.utf8("k")))
                    .put(table, EngineFixture.key("k" + i), Bytes.utf8("v")));
        }
        assertThat(keys(engine.scan(table, KeyRange.ALL))).containsExactly("k2999");
        engine.close();
    }

    @Test
    void aDroppedTableIsGoneAndItsSuccessorIsEmpty() {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        put(engine, table, "k", "old");
        engine.drop(spec("t").name());
        expect(StoreError.NO_SUCH_TABLE, () -> get(engine, table, "k"));
        expect(StoreError.NO_SUCH_TABLE, () -> put(engine, table, "k", "late"));
        Table successor = engine.create(spec("t"));
        assertThat(successor.id()).isGreaterThan(table.id());
        assertThat(get(engine, successor, "k")).isEmpty();
        Engine again = reopened(engine, eager());
        assertThat(again.tables()).hasSize(1);
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k")).isEmpty();
        again.close();
    }

    @Test
    void ticketsNeverComeAgain() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        long ticket = engine.ticket();
        put(engine, table, "k", "v");
        Engine again = reopened(engine, lazy());
        assertThat(again.ticket()).isGreaterThan(ticket);
        again.close();
    }

    @Test
    void aSecondOpenOfTheDirectoryIsRefused() {
        Engine engine = fixture.open(lazy());
        expect(StoreError.IN_USE, () -> fixture.open(lazy()));
        engine.close();
    }

    /** A server whose log is in Fluss opens its store again in the same process, and may need to try more than once. */
    @Test
    void aStoreThatCouldNotBeOpenedIsNotInItsOwnWay() {
        Engine engine = fixture.open(lazy());
        put(engine, engine.create(spec("t")), "k", "v");
        engine.create(spec("u"));
        engine.close();
        Membership wrong = new Membership(0, 2, new Tickets(), new Stripes());
        StoreDirectory held = StoreDirectory.lock(directory.resolve("data"));
        expect(
                StoreError.CORRUPT,
                () -> EmbeddedStore.open(
                        held, lazy(), wrong, path -> FileLog.open(path, EngineFixture.LOG), Recovery.Progress.NONE));
        Engine again = fixture.open(lazy());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k")).contains("v");
        again.close();
    }

    @Test
    void newerDataIsRefused() throws Exception {
        fixture.open(lazy()).close();
        Files.writeString(directory.resolve("data/FORMAT"), "polytable-store 2\n");
        expect(StoreError.NEWER_FORMAT, () -> fixture.open(lazy()));
    }

    @Test
    void aBackupOfARunningStoreRestoresAsANewIncarnation() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, "k", "then");
        Backup.write(engine, directory.resolve("backup"));
        put(engine, table, "k", "later");
        var later = engine.position();
        engine.close();
        Backup.restore(directory.resolve("backup"), directory.resolve("restored"));
        Engine restored = new EngineFixture(directory.resolve("restored")).open(lazy());
        Table same = restored.find(spec("t").name()).orElseThrow();
        assertThat(get(restored, same, "k")).contains("then");
        expect(StoreError.POSITION_EXPIRED, () -> restored.changes(java.util.Set.of(same), later));
        put(restored, same, "k", "again");
        assertThat(get(restored, same, "k")).contains("again");
        restored.close();
        expect(StoreError.IO, () -> Backup.restore(directory.resolve("backup"), directory.resolve("restored")));
    }
}
