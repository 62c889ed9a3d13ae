package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writers that are quicker than the state, and the wait for space. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RoomTest {
    private static final int THREADS = 8;
    private static final int COMMITS = 600;
    private static final int VALUE_BYTES = 2_000;

    @TempDir
    private Path directory;

    private EngineFixture fixture() {
        return new EngineFixture(directory.resolve("data"));
    }

    private static void write(Engine engine, Table table, int thread) {
        Bytes value = Bytes.of(new byte[VALUE_BYTES]);
        for (int i = 0; i < COMMITS; i++) {
            engine.commit(new Batch().put(table, EngineFixture.key(thread + ":" + i), value));
            engine.flush();
        }
    }

    /** One who waited for space and found some was refused when another had taken it by the time it looked again. */
    @Test
    void whoeverWaitedForRoomIsNotRefusedBecauseOthersWereQuicker() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(THREADS);
        try (Engine engine = fixture().open(EngineFixture.eager())) {
            Table table = engine.create(EngineFixture.spec("t"));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(writers.submit(() -> write(engine, table, thread)));
            }
            for (Future<?> one : all) {
                one.get();
            }
            assertThat(engine.end()).isGreaterThanOrEqualTo((long) THREADS * COMMITS);
        } finally {
            writers.shutdownNow();
        }
    }

    /** Others must read and commit while a writer waits: it holds neither the append mutex nor a stripe. */
    @Test
    void whoeverWaitsForTheLogHoldsUpNobody() throws Exception {
        EngineFixture fixture = fixture();
        ExecutorService writers = Executors.newSingleThreadExecutor();
        try (Engine engine = fixture.open(EngineFixture.eager())) {
            Table table = engine.create(EngineFixture.spec("t"));
            CountDownLatch told = new CountDownLatch(1);
            fixture.log().late = true;
            assertThat(engine.hasRoom()).isFalse();
            engine.whenRoom(told::countDown);
            Future<?> waiting = writers.submit(
                    () -> engine.commit(new Batch().put(table, EngineFixture.key("a"), Bytes.of(new byte[1]))));
            engine.stripes().lock(0);
            try {
                engine.commit(new Batch().put(table, EngineFixture.key("b"), Bytes.of(new byte[2])));
            } finally {
                engine.stripes().unlock(0);
            }
            engine.snapshot().close();
            assertThat(engine.read(table, EngineFixture.key("b"))).isPresent();
            assertThat(waiting.isDone()).isFalse();
            assertThat(engine.read(table, EngineFixture.key("a"))).isEmpty();
            fixture.log().late = false;
            waiting.get();
            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(engine.read(table, EngineFixture.key("a"))).isPresent();
        } finally {
            writers.shutdownNow();
        }
    }

    @Test
    void aWriterThatTheLogKeepsWaitingIsRefused() throws Exception {
        EngineFixture fixture = fixture();
        try (Engine engine = fixture.open(EngineFixture.eager().withRoomWait(Duration.ZERO))) {
            Table table = engine.create(EngineFixture.spec("t"));
            fixture.log().late = true;
            assertThatThrownBy(
                            () -> engine.commit(new Batch().put(table, EngineFixture.key("a"), Bytes.of(new byte[1]))))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            refused -> assertThat(refused.error()).isEqualTo(StoreError.NO_ROOM));
            fixture.log().late = false;
        }
    }

    /** A disk may take long to allocate the log's next file. */
    @Test
    void spaceInTheLogIsReservedWithoutTheAppendMutex() throws Exception {
        EngineFixture fixture = fixture();
        ExecutorService writers = Executors.newSingleThreadExecutor();
        try (Engine engine = fixture.open(EngineFixture.eager())) {
            Table table = engine.create(EngineFixture.spec("t"));
            CountDownLatch reserving = new CountDownLatch(1);
            CountDownLatch allocated = new CountDownLatch(1);
            fixture.log().onReserve = () -> {
                reserving.countDown();
                awaitQuietly(allocated);
            };
            Future<?> waiting = writers.submit(
                    () -> engine.commit(new Batch().put(table, EngineFixture.key("a"), Bytes.of(new byte[1]))));
            reserving.await();
            engine.snapshot().close();
            assertThat(waiting.isDone()).isFalse();
            allocated.countDown();
            waiting.get();
        } finally {
            writers.shutdownNow();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A disk that is slow, not stuck: the store opens late, but it opens. */
    @Test
    void aReplayWaitsForRoomHoweverLongThatTakes() {
        EngineFixture fixture = fixture();
        Engine first = fixture.open(EngineFixture.lazy());
        Table table = first.create(EngineFixture.spec("t"));
        for (int thread = 0; thread < 4; thread++) {
            write(first, table, thread);
        }
        first.abandon();
        EngineOptions hasty = EngineFixture.eager().withRoomWait(Duration.ZERO);
        try (Engine again = fixture.open(hasty)) {
            Table found = again.find(EngineFixture.spec("t").name()).orElseThrow();
            assertThat(again.read(found, EngineFixture.key("3:" + (COMMITS - 1))))
                    .isPresent();
        }
    }

    /** Its executor was stopped before the store. */
    @Test
    void whoeverCannotBeToldOfRoomEndsNothing() throws Exception {
        EngineFixture fixture = fixture();
        Engine engine = fixture.open(EngineFixture.eager().withDurability(DurabilityMode.OS));
        Table table = engine.create(EngineFixture.spec("t"));
        CountDownLatch sync = new CountDownLatch(1);
        fixture.log().holdSync(sync);
        Bytes value = Bytes.of(new byte[VALUE_BYTES]);
        for (int i = 0; i < 700; i++) {
            engine.commit(new Batch().put(table, EngineFixture.key("k" + i), value));
        }
        assertThat(engine.hasRoom()).isFalse();
        engine.whenRoom(() -> {
            throw new RejectedExecutionException("stopped");
        });
        CountDownLatch told = new CountDownLatch(1);
        engine.whenRoom(told::countDown);
        sync.countDown();
        assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
        engine.settle();
        assertThat(engine.failure()).isEmpty();
        engine.close();
    }

    /** Whoever still waits when the store is closed would wait forever, and so would its client. */
    @Test
    void whoeverWaitsForRoomIsToldWhenTheStoreIsClosed() throws Exception {
        EngineFixture fixture = fixture();
        Engine engine = fixture.open(EngineFixture.eager().withDurability(DurabilityMode.OS));
        Table table = engine.create(EngineFixture.spec("t"));
        CountDownLatch sync = new CountDownLatch(1);
        fixture.log().holdSync(sync);
        Bytes value = Bytes.of(new byte[VALUE_BYTES]);
        for (int i = 0; i < 700; i++) {
            engine.commit(new Batch().put(table, EngineFixture.key("k" + i), value));
        }
        assertThat(engine.hasRoom()).isFalse();
        CountDownLatch told = new CountDownLatch(1);
        engine.whenRoom(told::countDown);
        Thread closing = new Thread(engine::abandon);
        closing.start();
        // Once it waits for the applier, that one ends after the generation it is at.
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        sync.countDown();
        closing.join();
        assertThat(told.getCount()).isZero();
        CountDownLatch late = new CountDownLatch(1);
        engine.whenRoom(late::countDown);
        assertThat(late.getCount()).isZero();
    }
}
