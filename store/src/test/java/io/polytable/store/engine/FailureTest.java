package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Await;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What fails is told to whoever waits, and nothing that fails goes unnoticed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailureTest {
    @TempDir
    Path directory;

    private EngineFixture fixture = new EngineFixture(Path.of(""));

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    private static void expect(StoreError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    private static void expectFailed(Commit commit) {
        assertThatThrownBy(() -> commit.durable().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.FAILED));
    }

    private static void awaitFailure(Engine engine) {
        Await.until("the engine has failed", () -> engine.failure().isPresent());
    }

    @Test
    void whoWaitsForACommitHearsThatTheLogCannotBeWritten() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        fixture.log().failAppend = true;
        Commit first = put(engine, table, "a", "1");
        CompletableFuture<Void> waiting = first.durable().toCompletableFuture();
        assertThatThrownBy(waiting::join).isInstanceOf(CompletionException.class);
        expectFailed(first);
        assertThat(engine.failure()).isPresent();
        engine.close();
    }

    /** What was read may be out of date, and a failure does not make it less so. */
    @Test
    void whoReadFromALogThatSomebodyElseMayHaveIsNotToldByAFailure() {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        put(engine, table, "a", "1").awaitDurable();
        fixture.log().overtaken = true;
        CompletableFuture<Void> read = engine.latest().durable().toCompletableFuture();
        assertThat(read).isNotDone();
        fixture.log().failAppend = true;
        expectFailed(put(engine, table, "b", "1"));
        assertThat(read).isCompletedExceptionally();
        engine.close();
    }

    @Test
    void anErrorInTheSyncThreadIsAFailureOfTheStore() {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.ALWAYS));
        Table table = engine.create(spec("t"));
        fixture.log().breakSync = true;
        expectFailed(put(engine, table, "a", "1"));
        assertThat(engine.failure()).isPresent();
        expect(StoreError.FAILED, () -> put(engine, table, "b", "2"));
        engine.close();
    }

    @Test
    void anErrorInTheApplierIsAFailureOfTheStore() {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        fixture.log().breakBytesSince = true;
        put(engine, table, "a", "1");
        engine.flush();
        awaitFailure(engine);
        expect(StoreError.FAILED, () -> put(engine, table, "b", "2"));
        engine.close();
        Engine again = fixture.open(eager());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "a")).contains("1");
        again.close();
    }

    @Test
    void oneFeedsTimeoutDoesNotHideAnothersWait() throws Exception {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        try (ChangeFeed patient = engine.changes(Set.of(table), engine.position());
                ChangeFeed hasty = engine.changes(Set.of(table), engine.position())) {
            Thread[] waiter = new Thread[1];
            CompletableFuture<List<Change>> waiting = CompletableFuture.supplyAsync(() -> {
                waiter[0] = Thread.currentThread();
                return patient.poll(1, Duration.ofMinutes(10));
            });
            Await.until(
                    "the poll waits", () -> waiter[0] != null && waiter[0].getState() == Thread.State.TIMED_WAITING);
            assertThat(hasty.poll(1, Duration.ofMillis(1))).isEmpty();
            put(engine, table, "a", "1");
            engine.flush();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).hasSize(1);
        }
        engine.close();
    }

    @Test
    void aWriterIsRefusedWhenItWaitedForRoomInVain() {
        Engine engine = fixture.open(
                lazy().withGenerations(1 << 18, Duration.ofMillis(10)).withRoomWait(Duration.ofMillis(50)));
        Table table = engine.create(spec("t"));
        CountDownLatch sync = new CountDownLatch(1);
        fixture.log().holdSync(sync);
        fillMemory(engine, table);
        expect(StoreError.NO_ROOM, () -> put(engine, table, "one more", "v"));
        sync.countDown();
        engine.settle();
        put(engine, table, "one more", "v").awaitDurable();
        engine.close();
    }

    /** Whoever waits for the stripe would wait for the disk. */
    @Test
    void aWriterThatHoldsAStripeDoesNotWaitForRoom() {
        Engine engine = fixture.open(
                lazy().withGenerations(1 << 18, Duration.ofMillis(10)).withRoomWait(Duration.ofHours(1)));
        Table table = engine.create(spec("t"));
        CountDownLatch sync = new CountDownLatch(1);
        fixture.log().holdSync(sync);
        engine.stripes().lock(7);
        fillMemory(engine, table);
        engine.stripes().unlock(7);
        CompletableFuture<Commit> patient = CompletableFuture.supplyAsync(() -> put(engine, table, "one more", "v"));
        sync.countDown();
        patient.join().awaitDurable();
        engine.close();
    }

    private static void fillMemory(Engine engine, Table table) {
        String value = "v".repeat(50_000);
        expect(StoreError.NO_ROOM, () -> {
            for (int i = 0; i < 1000; i++) {
                put(engine, table, "k" + i, value);
            }
        });
    }

    @Test
    void closesWhateverIsStillOpen() throws Exception {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        for (int i = 0; i < 1000; i++) {
            put(engine, table, "k" + i, "v");
        }
        engine.settle();
        Snapshot snapshot = engine.snapshot();
        Cursor whole = engine.scan(table, KeyRange.ALL);
        assertThat(whole.next()).isTrue();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            while (true) {
                try (Cursor cursor = snapshot.scan(table, KeyRange.ALL)) {
                    while (cursor.next()) {
                        assertThat(cursor.valueSlice().length()).isEqualTo(1);
                    }
                }
            }
        });
        engine.close();
        expect(StoreError.CLOSED, () -> {
            while (whole.next()) {
                assertThat(whole.value().length()).isEqualTo(1);
            }
        });
        expect(StoreError.CLOSED, () -> snapshot.read(table, EngineFixture.key("k1")));
        assertThatThrownBy(() -> reader.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.CLOSED));
        // The files are free.
        Engine again = fixture.open(eager());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k1")).contains("v");
        whole.close();
        snapshot.close();
        again.close();
    }

    @Test
    void scansThatFailLeaveNoSnapshotOpen() throws Exception {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            put(engine, table, "k" + i, Long.toHexString(random.nextLong()).repeat(10) + random.nextLong());
        }
        engine.settle();
        engine.close();
        spoil(directory.resolve("data/state"));
        Engine again = fixture.open(lazy().withMemory(0, 64 << 20));
        Table same = again.find(spec("t").name()).orElseThrow();
        for (int i = 0; i < 300; i++) {
            expect(StoreError.CORRUPT, () -> readFrom(again, same, "k5"));
        }
        again.snapshot().close();
        again.abandon();
    }

    @Test
    void aCursorDoesNotGoOnAfterAStepThatFailed() throws Exception {
        Engine engine = fixture.open(eager());
        Table table = engine.create(spec("t"));
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            put(engine, table, "k" + i, Long.toHexString(random.nextLong()).repeat(10) + random.nextLong());
        }
        engine.close();
        spoil(directory.resolve("data/state"));
        Engine again = fixture.open(lazy().withMemory(0, 64 << 20));
        Table same = again.find(spec("t").name()).orElseThrow();
        Cursor cursor = again.scan(same, KeyRange.ALL);
        assertThat(cursor.next()).isTrue();
        expect(StoreError.CORRUPT, () -> {
            while (cursor.next()) {
                assertThat(cursor.valueSlice().length()).isPositive();
            }
        });
        expect(StoreError.IO, cursor::next);
        cursor.close();
        again.snapshot().close();
        again.abandon();
    }

    private static void readFrom(Engine engine, Table table, String key) {
        try (Cursor cursor = engine.scan(table, KeyRange.between(Bytes.utf8(key), Bytes.EMPTY))) {
            assertThat(cursor.next()).isTrue();
        }
    }

    /** Damages the blocks in the middle of the largest file of rows. */
    private static void spoil(Path state) throws Exception {
        try (Stream<Path> files = Files.list(state)) {
            Path largest = files.filter(file -> file.toString().endsWith(".sst"))
                    .max((one, other) ->
                            Long.compare(one.toFile().length(), other.toFile().length()))
                    .orElseThrow();
            try (RandomAccessFile file = new RandomAccessFile(largest.toFile(), "rw")) {
                file.seek(file.length() / 3);
                file.write(new byte[(int) (file.length() / 3)]);
            }
        }
    }

    @Test
    void anErrorWhileOpeningReleasesTheDirectory() {
        Path data = directory.resolve("data");
        assertThatThrownBy(() -> EmbeddedStore.open(
                        StoreDirectory.lock(data),
                        lazy(),
                        path -> {
                            throw new LinkageError("broken on purpose");
                        },
                        Recovery.Progress.NONE))
                .isInstanceOf(LinkageError.class);
        fixture.open(lazy()).close();
    }
}
