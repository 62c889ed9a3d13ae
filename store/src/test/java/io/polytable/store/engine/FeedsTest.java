package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.feed.FeedMemory;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many who follow one log: what they share, and what becomes of those who are slow. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FeedsTest {
    private static final int FOLLOWERS = 5_000;
    private static final int VALUE_BYTES = 64 << 10;

    /** More than the tail keeps. */
    private static final int MANY_VALUES = 800;

    private static final EngineOptions ROOMY =
            EngineOptions.DEFAULT.withMemory(64 << 20, 64 << 20).withGenerations(8 << 20, Duration.ofMillis(10));

    private static final int FEW_BYTES = 4 << 20;

    /** A quarter of them. */
    private static final int FEW_VALUES = FEW_BYTES / 4 / VALUE_BYTES;

    @TempDir
    Path directory;

    private EngineFixture fixture = new EngineFixture(Path.of(""));

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    private long reads() {
        return fixture.log().calls().stream()
                .filter(call -> call.startsWith("read"))
                .count();
    }

    /** The feed stays when its snapshot is closed. */
    private static ChangeFeed since(Engine engine, Table table) {
        try (Snapshot snapshot = engine.snapshot()) {
            return snapshot.changes(Set.of(table));
        }
    }

    private static List<Change> all(ChangeFeed feed) {
        List<Change> changes = new ArrayList<>();
        for (List<Change> some = feed.poll(100, Duration.ZERO); !some.isEmpty(); some = feed.poll(100, Duration.ZERO)) {
            changes.addAll(some);
        }
        return changes;
    }

    @Test
    void thousandsFollowWithOneReaderAndNoThreadEach() throws Exception {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        Table quiet = engine.create(spec("quiet"));
        long readsBefore = reads();
        List<ChangeFeed> feeds = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
            feeds.add(engine.changes(Set.of(table), engine.position()));
        }
        AtomicInteger disturbed = new AtomicInteger();
        try (ChangeFeed other = engine.changes(Set.of(quiet), engine.position())) {
            other.whenReady(disturbed::incrementAndGet);
            for (int round = 0; round < 5; round++) {
                CountDownLatch called = new CountDownLatch(FOLLOWERS);
                feeds.forEach(feed -> feed.whenReady(called::countDown));
                put(engine, table, "k", "v" + round);
                engine.flush();
                assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
                for (ChangeFeed feed : feeds) {
                    assertThat(feed.poll(10, Duration.ZERO)).hasSize(1);
                }
            }
            assertThat(reads() - readsBefore).isEqualTo(1);
            assertThat(disturbed).as("woken by another table's changes").hasValue(0);
        }
        feeds.forEach(ChangeFeed::close);
        engine.close();
    }

    private static void assertRefused(ThrowingCallable call, StoreError expected) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(expected));
    }

    private static void putMany(Engine engine, Table table, int values) {
        Bytes value = Bytes.of(new byte[VALUE_BYTES]);
        for (int i = 0; i < values; i++) {
            engine.commit(new Batch().put(table, key("k" + i), value));
        }
        engine.flush();
    }

    /** Each of them has a buffer of its own. */
    @Test
    void whoIsBehindIsRefusedWhereTheMemoryOfFeedsIsUsedUp() {
        Engine engine = fixture.open(ROOMY.withFeedMemory(FEW_BYTES));
        Table table = engine.create(spec("t"));
        Position start = engine.position();
        List<ChangeFeed> behind = new ArrayList<>();
        try (ChangeFeed first = engine.changes(Set.of(table), start)) {
            putMany(engine, table, 3 * FEW_VALUES);
            assertThat(all(first)).hasSize(3 * FEW_VALUES);
            FeedMemory memory = FeedMemory.of(FEW_BYTES, fixture.log().readerBytes(), 1);
            for (int i = 0; i < memory.readersMax(); i++) {
                behind.add(engine.changes(Set.of(table), start));
                assertThat(behind.get(i).poll(1, Duration.ZERO)).hasSize(1);
            }
            ChangeFeed oneTooMany = engine.changes(Set.of(table), start);
            assertRefused(() -> oneTooMany.poll(1, Duration.ZERO), StoreError.TOO_MANY);
            behind.remove(0).close();
            assertThat(oneTooMany.poll(1, Duration.ZERO)).hasSize(1);
            behind.add(oneTooMany);
        }
        behind.forEach(ChangeFeed::close);
        engine.close();
    }

    /** The rest of a commit that is half told is answered before anything is wrong with the next. */
    @Test
    void aRefusalLosesNothingOfWhatAPollHadCollected() {
        Engine engine = fixture.open(ROOMY.withFeedMemory(FEW_BYTES));
        Table table = engine.create(spec("t"));
        List<ChangeFeed> behind = new ArrayList<>();
        try (ChangeFeed first = engine.changes(Set.of(table), engine.position());
                ChangeFeed half = engine.changes(Set.of(table), engine.position())) {
            engine.commit(new Batch().put(table, key("a"), Bytes.utf8("1")).put(table, key("b"), Bytes.utf8("2")));
            engine.flush();
            Position start = engine.position();
            assertThat(half.poll(1, Duration.ZERO)).hasSize(1);
            putMany(engine, table, 3 * FEW_VALUES);
            assertThat(all(first)).hasSize(2 + 3 * FEW_VALUES);
            FeedMemory memory = FeedMemory.of(FEW_BYTES, fixture.log().readerBytes(), 1);
            for (int i = 0; i < memory.readersMax(); i++) {
                behind.add(engine.changes(Set.of(table), start));
                assertThat(behind.get(i).poll(1, Duration.ZERO)).hasSize(1);
            }
            assertThat(half.poll(10, Duration.ZERO)).hasSize(1);
            assertRefused(() -> half.poll(10, Duration.ZERO), StoreError.TOO_MANY);
            behind.forEach(ChangeFeed::close);
            assertThat(all(half)).hasSize(3 * FEW_VALUES);
        }
        engine.close();
    }

    /** More commits of other tables than are decoded in one go lie between a feed and its next change. */
    @Test
    void aFollowerOfAQuietTableFindsItsChangeBehindManyOthers() throws Exception {
        Engine engine = fixture.open(lazy());
        Table busy = engine.create(spec("busy"));
        Table quiet = engine.create(spec("quiet"));
        try (ChangeFeed polled = engine.changes(Set.of(quiet), engine.position());
                ChangeFeed waiting = engine.changes(Set.of(quiet), engine.position());
                ChangeFeed called = engine.changes(Set.of(quiet), engine.position())) {
            for (int i = 0; i < MANY_VALUES; i++) {
                put(engine, busy, "k" + i, "v");
            }
            put(engine, quiet, "k", "v");
            engine.flush();
            CountDownLatch ready = new CountDownLatch(1);
            called.whenReady(ready::countDown);
            assertThat(waiting.poll(10, Duration.ofSeconds(60))).hasSize(1);
            assertThat(polled.poll(10, Duration.ZERO)).hasSize(1);
            assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        }
        engine.close();
    }

    @Test
    void anActionThatFailsTakesNothingFromTheOthers() throws Exception {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        List<ChangeFeed> feeds = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            CountDownLatch called = new CountDownLatch(10);
            for (int i = 0; i < 20; i++) {
                ChangeFeed feed = engine.changes(Set.of(table), engine.position());
                feeds.add(feed);
                boolean fails = i % 2 == 0;
                feed.whenReady(() -> {
                    if (fails) {
                        throw new RejectedExecutionException("stopped");
                    }
                    called.countDown();
                });
            }
            put(engine, table, "k", "v" + round);
            engine.flush();
            assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
        }
        feeds.forEach(ChangeFeed::close);
        engine.close();
    }

    /** What each is still to be told is held for it alone, until it asks. */
    @Test
    void whatIsHeldForFeedsThatJoinLateIsBoundedOverAllOfThem() {
        Engine engine = fixture.open(ROOMY.withFeedMemory(FEW_BYTES));
        Table table = engine.create(spec("t"));
        try (Snapshot snapshot = engine.snapshot()) {
            putMany(engine, table, FEW_VALUES / 4 * 3);
            try (ChangeFeed first = snapshot.changes(Set.of(table))) {
                assertRefused(() -> snapshot.changes(Set.of(table)), StoreError.POSITION_EXPIRED);
                assertThat(all(first)).hasSize(FEW_VALUES / 4 * 3);
                try (ChangeFeed second = snapshot.changes(Set.of(table))) {
                    assertThat(second.poll(1, Duration.ZERO)).hasSize(1);
                }
                snapshot.changes(Set.of(table)).close();
            }
        }
        engine.close();
    }

    @Test
    void whoIsSlowReadsTheLogByItselfAndExpiresWithOldValues() {
        Engine engine = fixture.open(ROOMY);
        Table table = engine.create(spec("t"));
        put(engine, table, "k", "first");
        try (ChangeFeed slow = engine.changes(Set.of(table), engine.position());
                ChangeFeed slowWithOld = since(engine, table);
                ChangeFeed quick = since(engine, table)) {
            Bytes value = Bytes.of(new byte[VALUE_BYTES]);
            int seen = 0;
            for (int i = 0; i < MANY_VALUES; i++) {
                engine.commit(new Batch().put(table, key("k" + i % 10), value));
                engine.flush();
                seen += all(quick).size();
            }
            assertThat(seen).isEqualTo(MANY_VALUES);
            assertThat(all(slow)).hasSize(MANY_VALUES);
            assertThatThrownBy(() -> slowWithOld.poll(1, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
        }
        engine.close();
    }

    @Test
    void aFeedThatNobodyPollsDoesNotHoldBackWriters() {
        Engine engine = fixture.open(EngineFixture.eager());
        Table table = engine.create(spec("t"));
        Position begin = engine.position();
        try (ChangeFeed unpolled = since(engine, table)) {
            Bytes value = Bytes.of(new byte[VALUE_BYTES]);
            for (int i = 0; i < MANY_VALUES / 8; i++) {
                engine.commit(new Batch().put(table, key("k" + i % 10), value));
                engine.flush();
            }
            assertThat(unpolled.position()).isEqualTo(begin);
        }
        engine.close();
    }

    /** So much is written that newer snapshots take the place of older ones many times. */
    @Test
    void oldValuesAreExactBeyondTheSnapshotTheyBeganWith() {
        Engine engine = fixture.open(ROOMY);
        Table table = engine.create(spec("t"));
        Random random = new Random(5);
        Map<String, Bytes> copy = new HashMap<>();
        try (ChangeFeed feed = since(engine, table)) {
            for (int i = 0; i < MANY_VALUES; i++) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                String name = "k" + random.nextInt(400);
                Batch batch = new Batch();
                if (random.nextInt(5) == 0) {
                    batch.delete(table, key(name));
                } else {
                    batch.put(table, key(name), Bytes.of(value));
                }
                engine.commit(batch);
                if (i % 30 == 0) {
                    engine.flush();
                    follow(feed, copy);
                }
            }
            engine.flush();
            follow(feed, copy);
        }
        copy.forEach((name, value) -> assertThat(engine.read(table, key(name))).contains(value));
        engine.close();
    }

    private static void follow(ChangeFeed feed, Map<String, Bytes> copy) {
        for (Change change : all(feed)) {
            String name = change.key().utf8();
            assertThat(change.before()).as(name).isEqualTo(Optional.ofNullable(copy.get(name)));
            change.value().ifPresentOrElse(value -> copy.put(name, value), () -> copy.remove(name));
        }
    }

    /** The log that the feeds' thread reads is closed next. */
    @Test
    void anInterruptedCloserAwaitsTheThreadThatTellsFollowers() throws Exception {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        CountDownLatch called = new CountDownLatch(1);
        AtomicBoolean isDone = new AtomicBoolean();
        ChangeFeed feed = engine.changes(Set.of(table), engine.position());
        feed.whenReady(() -> {
            called.countDown();
            // In steps, because closing unparks this thread.
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            isDone.set(true);
        });
        put(engine, table, "k", "v");
        engine.flush();
        assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        engine.abandon();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isDone).isTrue();
    }
}
