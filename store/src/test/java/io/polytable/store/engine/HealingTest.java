package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.QUICK;
import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.key;
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
import io.polytable.store.memory.MemorySnapshot;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A background error of RocksDB: its write buffers hold rows that memory has release and no file has. The fault is a real
 * one: the directory is away while RocksDB wants to write a file.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HealingTest {
    /** No row stays in memory once it is applied, so that reads see what the state has. */
    private static final EngineOptions FORGETFUL =
            eager().withMemory(0, 64 << 20).withGenerations(1 << 12, Duration.ofMillis(1));

    private static final int ROWS = 500;

    /** So that the rows fill several of memory's chunks: it releases whole ones. */
    private static final String PADDING = " ".repeat(10_000);

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private Engine engine;

    @SuppressWarnings("NullAway.Init")
    private Table table;

    @BeforeEach
    void prepare() {
        engine = open(FORGETFUL);
        table = engine.create(spec("t"));
    }

    private Engine open(EngineOptions options) {
        return new EngineFixture(directory.resolve("data")).open(options);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void fill(String value) {
        for (int i = 0; i < ROWS; i++) {
            put(engine, table, "k" + i, value + PADDING);
        }
    }

    private void awaitApplied() {
        engine.flush();
        long wanted = statistic("log_end_position");
        await(() -> statistic("applied_position") >= wanted);
    }

    private long statistic(String name) {
        return engine.statistics().values().getOrDefault(name, -1L);
    }

    private static void await(Callable<Boolean> condition) {
        Await.until("the state is as expected", condition);
    }

    /** RocksDB finds no directory to write its next file in. */
    private void failAFlush() throws IOException {
        Path state = directory.resolve("data/state");
        Path away = directory.resolve("data/away");
        Files.move(state, away);
        try {
            assertThatThrownBy(engine::settle).isInstanceOf(StoreException.class);
        } finally {
            Files.move(away, state);
        }
    }

    @Test
    void whatOnlyTheWriteBuffersHeldComesBackFromTheLog() throws Exception {
        fill("settled");
        engine.settle();
        fill("applied");
        engine.commit(new Batch()
                .deleteRange(table, KeyRange.prefix(Bytes.utf8("k1")))
                .put(table, key("k1"), Bytes.utf8("new")));
        awaitApplied();
        failAFlush();
        put(engine, table, "later", "1");
        awaitApplied();
        assertThat(get(engine, table, "k2")).contains("applied" + PADDING);
        assertThat(get(engine, table, "k1")).contains("new");
        assertThat(get(engine, table, "k10")).isEmpty();
        assertThat(get(engine, table, "later")).contains("1");
        engine.settle();
        engine.close();
        engine = open(lazy());
        table = engine.find(spec("t").name()).orElseThrow();
        assertThat(keys(engine.scan(table, KeyRange.ALL))).hasSize(ROWS - 111 + 2);
        assertThat(get(engine, table, "k499")).contains("applied" + PADDING);
    }

    @Test
    void aStateThatCannotBeOpenedAgainRefusesReadersUntilItCan() throws Exception {
        fill("applied");
        awaitApplied();
        Path state = directory.resolve("data/state");
        Path away = directory.resolve("data/away");
        Files.move(state, away);
        Files.writeString(state, "in the way");
        assertThatThrownBy(() -> engine.catalog().reopenState(false, () -> {})).isInstanceOf(StoreException.class);
        put(engine, table, "later", "1");
        await(() -> isRefused("k1"));
        Files.delete(state);
        Files.move(away, state);
        await(() -> !isRefused("k1"));
        assertThat(get(engine, table, "k1")).contains("applied" + PADDING);
        assertThat(get(engine, table, "later")).contains("1");
    }

    /** With a file in its place the directory takes no files: what is open must not be closed. */
    @Test
    void aStateWhoseDirectoryTakesNoFilesStaysOpenForReaders() throws Exception {
        fill("applied");
        awaitApplied();
        Path state = directory.resolve("data/state");
        Path away = directory.resolve("data/away");
        Files.move(state, away);
        Files.writeString(state, "in the way");
        assertThatThrownBy(engine::settle).isInstanceOf(StoreException.class);
        assertThat(engine.refusal()).isEmpty();
        assertThatThrownBy(() -> fill("refused")).isInstanceOf(StoreException.class);
        assertThat(engine.refusal()).isPresent();
        assertThat(statistic("writable")).isZero();
        for (int i = 0; i < 10; i++) {
            LockSupport.parkNanos(QUICK.retry().toNanos());
        }
        assertThat(get(engine, table, "k499")).contains("applied" + PADDING);
        Files.delete(state);
        Files.move(away, state);
        await(() -> engine.refusal().isEmpty());
        assertThat(statistic("writable")).isEqualTo(1);
        assertThat(statistic("disk_free_bytes")).isPositive();
        assertThat(statistic("log_reserved_bytes")).isPositive();
        put(engine, table, "later", "1");
        awaitApplied();
        assertThat(get(engine, table, "k499")).contains("applied" + PADDING);
        assertThat(get(engine, table, "later")).contains("1");
    }

    @Test
    void anIdleSnapshotIsGivenUpSoThatTheStateCanBeWrittenAgain() throws Exception {
        fill("applied");
        awaitApplied();
        try (Snapshot snapshot = engine.snapshot();
                Cursor cursor = snapshot.scan(table, KeyRange.ALL)) {
            assertThat(cursor.next()).isTrue();
            failAFlush();
            put(engine, table, "later", "1");
            awaitApplied();
            assertThat(get(engine, table, "later")).contains("1");
            assertExpired(() -> snapshot.read(table, key("k1")));
            assertExpired(() -> snapshot.readMany(table, List.of(key("k1"))));
            assertExpired(() -> snapshot.scan(table, KeyRange.ALL));
            assertExpired(cursor::next);
        }
        try (Snapshot snapshot = engine.snapshot()) {
            assertThat(snapshot.read(table, key("later"))).isPresent();
        }
    }

    private static void assertExpired(Callable<?> read) {
        assertThatThrownBy(read::call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
    }

    @Test
    void readsGoOnBesideAnOpenSnapshotThatHealingWaitsFor() throws Exception {
        fill("applied");
        awaitApplied();
        Snapshot snapshot = engine.snapshot();
        failAFlush();
        put(engine, table, "later", "1");
        engine.flush();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            // Many attempts to heal the state meet these reads.
            for (int i = 0; i < 30; i++) {
                Optional<String> read =
                        reader.submit(() -> get(engine, table, "k1")).get(10, TimeUnit.SECONDS);
                assertThat(read).contains("applied" + PADDING);
                LockSupport.parkNanos(QUICK.retry().toNanos());
            }
        } finally {
            snapshot.close();
            reader.shutdown();
        }
        awaitApplied();
        assertThat(get(engine, table, "k1")).contains("applied" + PADDING);
        assertThat(get(engine, table, "later")).contains("1");
    }

    @Test
    void feedsWithOldValuesExpireSoThatTheStateCanBeHealed() throws Exception {
        fill("applied");
        awaitApplied();
        try (ChangeFeed feed = since()) {
            failAFlush();
            put(engine, table, "later", "1");
            awaitApplied();
            assertThatThrownBy(() -> feed.poll(1, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
        }
        try (ChangeFeed feed = since()) {
            put(engine, table, "later", "2");
            engine.flush();
            assertThat(feed.poll(1, Duration.ofSeconds(30)).get(0).before()).contains(Bytes.utf8("1"));
        }
    }

    private ChangeFeed since() {
        try (Snapshot snapshot = engine.snapshot()) {
            return snapshot.changes(Set.of(table));
        }
    }

    private boolean isRefused(String key) {
        try {
            assertThat(get(engine, table, key)).isPresent();
            return false;
        } catch (StoreException e) {
            return true;
        }
    }

    @Test
    void anErrorWhileTheStateIsOpenedAgainKeepsNobodyWaiting() {
        fill("applied");
        awaitApplied();
        CompletableFuture<Void> healing =
                CompletableFuture.runAsync(() -> engine.catalog().reopenState(false, () -> {
                    throw new LinkageError("broken on purpose");
                }));
        assertThat(healing).failsWithin(Duration.ofSeconds(30));
        CompletableFuture<Boolean> reader = new CompletableFuture<>();
        Thread other = new Thread(() -> reader.complete(isRefused("k1")));
        other.start();
        assertThat(reader).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
        engine.abandon();
    }

    /** An apply that fails in the midst of a generation, at the very moment when a backup was about to be taken. */
    @Test
    void noBackupIsTakenOfAStateThatHoldsPartsOfCommits() {
        EngineFixture fixture = new EngineFixture(directory.resolve("midway"));
        Engine midway = fixture.open(lazy());
        Table rows = midway.create(spec("t"));
        List<MemorySnapshot> snapshots = new ArrayList<>();
        fixture.log().onRelease(() -> {
            put(midway, rows, "a", "1");
            snapshots.add(midway.capture().rows());
            snapshots.get(0).onReached(() -> {
                throw new StoreException(StoreError.IO, "broken on purpose");
            });
            put(midway, rows, "b", "1");
            assertThatThrownBy(midway::settle).isInstanceOf(StoreException.class);
        });
        assertThatThrownBy(() -> Backup.write(midway, directory.resolve("parts")))
                .hasMessageContaining("parts of commits");
        snapshots.get(0).onReached(() -> {});
        snapshots.get(0).close();
        await(() -> midway.statistics().values().getOrDefault("applied_position", -1L) >= midway.end());
        Backup.Contents unused = Backup.write(midway, directory.resolve("whole"));
        midway.close();
        Backup.restore(directory.resolve("whole"), directory.resolve("restored"));
        Engine restored = new EngineFixture(directory.resolve("restored")).open(lazy());
        assertThat(get(restored, restored.find(spec("t").name()).orElseThrow(), "b"))
                .contains("1");
        restored.close();
    }

    /** A snapshot of all partitions waits for the state; whoever writes to the others must not wait for the snapshot. */
    @Test
    void aPartitionIsWrittenToWhileTheStateOfAnotherIsOpenedAgain() throws Exception {
        List<Engine> engines = new ArrayList<>();
        Partitioning partitioning = new Partitioning(2, name -> name.name().equals("first") ? 0 : 1);
        PartitionedStore store = PartitionedStore.open(directory.resolve("groups"), partitioning, (at, member) -> {
            StoreDirectory held = StoreDirectory.lock(at);
            engines.add(EmbeddedStore.open(
                    held, lazy(), member, log -> FileLog.open(log, EngineFixture.LOG), Recovery.Progress.NONE));
            return engines.get(engines.size() - 1);
        });
        store.create(spec("first"));
        Table second = store.create(spec("second"));
        CountDownLatch shut = new CountDownLatch(1);
        CountDownLatch refilled = new CountDownLatch(1);
        CompletableFuture<Void> healing =
                CompletableFuture.runAsync(() -> engines.get(0).catalog().reopenState(false, () -> {
                    shut.countDown();
                    awaitQuietly(refilled);
                }));
        shut.await();
        Thread snapshot = new Thread(() -> store.snapshot().close());
        snapshot.start();
        await(() -> snapshot.getState() == Thread.State.TIMED_WAITING);
        CompletableFuture<Commit> commit =
                CompletableFuture.supplyAsync(() -> store.commit(new Batch().put(second, key("k"), Bytes.utf8("v"))));
        try {
            assertThat(commit).succeedsWithin(Duration.ofSeconds(20));
        } finally {
            refilled.countDown();
        }
        healing.join();
        snapshot.join();
        try (Snapshot later = store.snapshot()) {
            assertThat(later.read(second, key("k"))).isPresent();
        }
        store.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
