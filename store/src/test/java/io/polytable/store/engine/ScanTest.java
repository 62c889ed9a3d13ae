package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.keys;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scans of whole tables and snapshots, beside writers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ScanTest {
    private static final int KEYS = 40;
    private static final int ROWS = 1000;

    @TempDir
    Path directory;

    private EngineFixture fixture = new EngineFixture(Path.of(""));

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    @Test
    void openingOneNeitherSealsNorSyncsAnything() {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        int calls = fixture.log().calls().size();
        for (int i = 0; i < 100; i++) {
            put(engine, table, "k" + i % 10, "v" + i);
            assertThat(keys(engine.scan(table, KeyRange.ALL))).hasSize(Math.min(10, i + 1));
        }
        assertThat(statistic(engine, "memory_sealed_generations")).isZero();
        assertThat(fixture.log().calls()).hasSize(calls);
        engine.close();
    }

    @Test
    void anOlderSnapshotSeesItsRowsAfterANewerOneWasScanned() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, "a", "1");
        put(engine, table, "b", "1");
        Snapshot older = engine.snapshot();
        put(engine, table, "a", "2");
        engine.commit(new Batch().delete(table, key("b")));
        put(engine, table, "c", "2");
        assertThat(keys(engine.scan(table, KeyRange.ALL))).containsExactly("a", "c");
        assertThat(keys(older.scan(table, KeyRange.ALL))).containsExactly("a", "b");
        assertThat(older.read(table, key("a"))).contains(Bytes.utf8("1"));
        assertThat(older.read(table, key("c"))).isEmpty();
        older.close();
        engine.close();
    }

    /** Each commit writes its number to all keys of two tables: whatever is seen together must be of one commit. */
    @Test
    void besideWritersEachSeesWholeCommits() throws Exception {
        Engine engine = fixture.open(eager().withGenerations(1 << 14, Duration.ofMillis(1)));
        Table one = engine.create(spec("one"));
        Table two = engine.create(spec("two"));
        int commits = 3000;
        write(engine, one, two, 0);
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            Future<?> writing = writer.submit(() -> {
                for (int i = 1; i <= commits; i++) {
                    write(engine, one, two, i);
                }
            });
            long last = -1;
            while (!writing.isDone()) {
                last = seeOneCommit(engine, one, two, last);
            }
            writing.get();
            assertThat(seeOneCommit(engine, one, two, last)).isEqualTo(commits);
        } finally {
            writer.shutdownNow();
            engine.close();
        }
    }

    private static void write(Engine engine, Table one, Table two, int number) {
        Batch batch = new Batch();
        if (number % 7 == 0) {
            batch.deleteRange(one, KeyRange.ALL);
        }
        for (int i = 0; i < KEYS; i++) {
            batch.put(one, key("k" + i), Bytes.utf8(Integer.toString(number)));
            batch.put(two, key("k" + i), Bytes.utf8(Integer.toString(number)));
        }
        engine.commit(batch);
    }

    private static long seeOneCommit(Engine engine, Table one, Table two, long atLeast) {
        try (Snapshot snapshot = engine.snapshot()) {
            Set<String> seen = new HashSet<>();
            for (Table table : List.of(one, two, one)) {
                int rows = 0;
                try (Cursor cursor = snapshot.scan(table, KeyRange.ALL)) {
                    for (; cursor.next(); rows++) {
                        seen.add(cursor.value().utf8());
                    }
                }
                assertThat(rows).isEqualTo(KEYS);
            }
            assertThat(seen).hasSize(1);
            long number = Long.parseLong(seen.iterator().next());
            assertThat(number).isGreaterThanOrEqualTo(atLeast);
            return number;
        }
    }

    /** Nobody moves the cursor: what it has captured is applied and evicted, and it must not keep that alive. */
    @Test
    void aSnapshotAndACursorThatStayOpenHoldNoRowsInMemory() {
        Engine engine = fixture.open(eager().withGenerations(1 << 20, Duration.ofMillis(1)));
        Table table = engine.create(spec("t"));
        fill(engine, table, "old");
        Snapshot snapshot = engine.snapshot();
        Cursor forward = snapshot.scan(table, KeyRange.ALL);
        Cursor backward = snapshot.scan(table, KeyRange.ALL, Direction.REVERSE, Long.MAX_VALUE);
        Cursor unmoved = snapshot.scan(table, KeyRange.ALL);
        assertThat(forward.next() && backward.next()).isTrue();
        engine.commit(new Batch().deleteRange(table, KeyRange.prefix(Bytes.utf8("k1"))));
        fill(engine, table, "new");
        awaitTrue(() -> statistic(engine, "applied_position") == engine.end());
        awaitTrue(() -> statistic(engine, "memory_pinned_bytes") == 0);
        assertThat(forward.key().utf8()).isEqualTo("k0");
        assertThat(forward.value().utf8()).startsWith("old");
        assertThat(backward.valueSlice().toBytes().utf8()).startsWith("old");
        snapshot.close();
        assertThat(rest(forward)).isEqualTo(ROWS - 1);
        assertThat(rest(backward)).isEqualTo(ROWS - 1);
        assertThat(rest(unmoved)).isEqualTo(ROWS);
        engine.close();
    }

    /** An open iterator keeps the version of files and buffers alive that it was opened on. */
    @Test
    void aCursorThatNobodyMovesKeepsNoOldVersionOfTheStateAlive() {
        AtomicLong nanos = new AtomicLong();
        Engine engine = fixture.open(eager().withTiming(EngineFixture.quick(nanos)));
        Table table = engine.create(spec("t"));
        fill(engine, table, "old");
        engine.settle();
        long versions = statistic(engine, "state_live_versions");
        Cursor cursor = engine.scan(table, KeyRange.ALL);
        assertThat(cursor.next()).isTrue();
        fill(engine, table, "new");
        engine.settle();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        awaitTrue(() -> statistic(engine, "state_live_versions") <= versions);
        assertThat(cursor.value().utf8()).startsWith("old");
        assertThat(rest(cursor)).isEqualTo(ROWS - 1);
        engine.close();
    }

    private static void fill(Engine engine, Table table, String value) {
        String padded = value + " ".repeat(10_000);
        for (int i = 0; i < ROWS; i++) {
            put(engine, table, "k" + i, padded);
        }
    }

    /** All of them must be old. */
    private static int rest(Cursor cursor) {
        int rows = 0;
        try (cursor) {
            for (; cursor.next(); rows++) {
                assertThat(cursor.value().utf8()).startsWith("old");
            }
        }
        return rows;
    }

    private static void awaitTrue(Callable<Boolean> condition) {
        Await.until("the background work is done", condition);
    }

    @Test
    void generationsThatWaitHoldNobodyBackAsLongAsTheyAreSmall() throws Exception {
        Engine engine = fixture.open(eager().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        CountDownLatch gate = new CountDownLatch(1);
        fixture.log().holdSync(gate);
        for (int i = 0; i < 300; i++) {
            put(engine, table, "k" + i, "v".repeat(1000));
        }
        assertThat(statistic(engine, "memory_sealed_generations")).isGreaterThan(20);
        assertThat(engine.hasRoom()).isTrue();
        gate.countDown();
        engine.close();
    }

    /** The applier hangs until memory is full of what the state lacks, and then fails: nobody may be let in by that. */
    @Test
    void whoWaitsForRoomIsRefusedWhenTheStateStalls() throws Exception {
        Engine engine = fixture.open(eager().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        CountDownLatch gate = new CountDownLatch(1);
        fixture.log().holdSync(gate);
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            Future<?> writing = writer.submit(() -> {
                for (int i = 0; i < 4000; i++) {
                    put(engine, table, "k" + i, "v".repeat(1 << 16));
                }
            });
            long before = -1;
            while (engine.hasRoom() || before != statistic(engine, "memory_fresh_bytes")) {
                before = statistic(engine, "memory_fresh_bytes");
                LockSupport.parkNanos(50_000_000);
            }
            fixture.log().failSync = true;
            gate.countDown();
            assertThatThrownBy(writing::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.NO_ROOM));
            fixture.log().failSync = false;
            awaitTrue(() -> statistic(engine, "applied_position") == engine.end());
            put(engine, table, "later", "1");
        } finally {
            writer.shutdownNow();
            engine.close();
        }
    }

    /** Rows that a cursor holds fill memory. It is closed, and a reader lets them go before the applier looks. */
    @Test
    void whoWaitsForRoomIsToldWhoeverMadeIt() throws Exception {
        Engine engine = fixture.open(eager().withMemory(1 << 20, 64 << 20).withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        Cursor cursor = engine.scan(table, KeyRange.partition(Bytes.utf8("k")), Direction.FORWARD, Long.MAX_VALUE);
        for (int i = 0; i < ROWS && engine.hasRoom(); i++) {
            put(engine, table, "k" + i, "v".repeat(1 << 14));
            engine.settle();
        }
        CountDownLatch room = new CountDownLatch(1);
        engine.whenRoom(room::countDown);
        assertThat(room.getCount()).isOne();
        cursor.close();
        for (int i = 0; i < ROWS && !engine.hasRoom(); i++) {
            assertThat(engine.read(table, key("none" + i))).isEmpty();
        }
        assertThat(room.await(30, TimeUnit.SECONDS)).isTrue();
        engine.close();
    }

    @Test
    void whoReadsASnapshotThatAnotherClosesIsToldSo() throws Exception {
        Engine engine = fixture.open(lazy().withDurability(DurabilityMode.OS));
        Table table = engine.create(spec("t"));
        put(engine, table, "a", "1");
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < 2000; i++) {
                Snapshot snapshot = engine.snapshot();
                boolean scans = i % 2 == 0;
                CountDownLatch started = new CountDownLatch(1);
                Future<?> reading = reader.submit(() -> {
                    while (true) {
                        if (scans) {
                            keys(snapshot.scan(table, KeyRange.ALL));
                        } else {
                            snapshot.read(table, key("a"));
                        }
                        started.countDown();
                    }
                });
                started.await();
                snapshot.close();
                assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.CLOSED));
            }
        } finally {
            reader.shutdownNow();
            engine.close();
        }
    }

    private static long statistic(Engine engine, String name) {
        return engine.statistics().values().getOrDefault(name, -1L);
    }
}
