package io.polytable.redis.model.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Flushes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.CheckedStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HousekeepingTest {
    private static final Bytes VALUE = Bytes.utf8("v");

    private final ManualClock clock = new ManualClock();
    private final CheckedStore store = new CheckedStore(new MemoryStore());
    private Keyspace keyspace = Keyspace.open(store);
    private UnitOfWork unit = keyspace.newUnit();

    @AfterEach
    void leavesNothingOpen() {
        keyspace.close();
        store.close();
    }

    @Test
    void expiresOldestFirstAndNoMoreThanAsked() {
        for (int i = 0; i < 10; i++) {
            string(0, "k" + i, clock.millis() + 10 - i);
        }
        string(0, "later", clock.millis() + 1000);
        clock.advance(Duration.ofMillis(11));
        Expirer expirer = new Expirer(keyspace, keyspace.tables().expiries(0));

        assertThat(expirer.step(clock.millis(), 4)).isEqualTo(4);
        assertThat(rows(keyspace.tables().keys(0))).isEqualTo(7);
        assertThat(keyspace.tables().header(store, 0, Bytes.utf8("k9"))).isEmpty();
        assertThat(keyspace.tables().header(store, 0, Bytes.utf8("k0"))).isPresent();
        assertThat(expirer.step(clock.millis(), 100)).isEqualTo(6);
        assertThat(expirer.step(clock.millis(), 100)).isZero();
        assertThat(size(0)).isOne();
        assertThat(rows(keyspace.tables().expiries(0))).isOne();
    }

    @Test
    void aKeyThatGotAnotherDeadlineStays() {
        string(0, "k", clock.millis() + 10);
        unit.begin(clock.millis(), true);
        // As if the rows had come apart: the deadline's row is there, the header has another one.
        unit.writes()
                .put(keyspace.tables().expiries(0), Layout.expiry(clock.millis() + 1, 0, Bytes.utf8("k")), Bytes.EMPTY);
        unit.commit();
        clock.advance(Duration.ofMillis(5));
        Expirer expirer = new Expirer(keyspace, keyspace.tables().expiries(0));

        assertThat(expirer.step(clock.millis(), 100)).isOne();
        assertThat(size(0)).isOne();
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    @Test
    void expiryWaitsWhileItIsHeld() {
        string(0, "k", clock.millis() + 10);
        Housekeeping housekeeping = new Housekeeping(keyspace, clock, FeedFollower.NONE);
        keyspace.removal().pauseUntil(clock.millis() + 100);
        clock.advance(Duration.ofMillis(50));
        housekeeping.work();
        assertThat(rows(keyspace.tables().keys(0))).as("paused").isOne();
        clock.advance(Duration.ofMillis(50));
        keyspace.removal().expires(false);
        housekeeping.work();
        assertThat(rows(keyspace.tables().keys(0))).as("switched off").isOne();
        keyspace.removal().expires(true);
        housekeeping.work();
        assertThat(rows(keyspace.tables().keys(0))).isZero();
        housekeeping.close();
    }

    /** A store that breaks once, as no code expects it. */
    private static final class BreakingStore extends ForwardingStore {
        private final AtomicBoolean breaks = new AtomicBoolean();
        private final CountDownLatch broken = new CountDownLatch(1);

        BreakingStore(TableStore beneath) {
            super(beneath);
        }

        @Override
        public boolean hasRoom() {
            if (breaks.compareAndSet(true, false)) {
                broken.countDown();
                throw new LinkageError("broken on purpose");
            }
            return super.hasRoom();
        }
    }

    @Test
    @Timeout(60)
    void goesOnAfterAnError() {
        BreakingStore breaking = new BreakingStore(store);
        keyspace.close();
        keyspace = Keyspace.open(breaking);
        unit = keyspace.newUnit();
        breaking.breaks.set(true);
        Housekeeping housekeeping = Housekeeping.start(keyspace, clock, FeedFollower.NONE);
        try {
            Await.opened(breaking.broken);
            string(0, "k", clock.millis() + 1);
            assertThat(rows(keyspace.tables().keys(0))).isOne();
            clock.advance(Duration.ofMillis(10));
            Await.until("the key expires", () -> rows(keyspace.tables().keys(0)) == 0);
        } finally {
            housekeeping.close();
        }
    }

    @Test
    void sweepsSmallAndLargeCollections() {
        hash(0, "small", 3);
        hash(0, "large", 500);
        hash(0, "kept", 2);
        unit.begin(clock.millis(), true);
        unit.space(0).remove(Bytes.utf8("small"));
        unit.space(0).remove(Bytes.utf8("large"));
        unit.commit();
        assertThat(rows(keyspace.tables().elements(0))).isEqualTo(505);

        assertThat(new Sweeper(keyspace.tables(), FeedFollower.NONE).step(1)).isEqualTo(4);
        assertThat(rows(keyspace.tables().elements(0))).isEqualTo(502);
        work();

        assertThat(rows(keyspace.tables().elements(0))).isEqualTo(2);
        assertThat(rows(keyspace.tables().garbage(0))).isZero();
    }

    @Test
    void dropsFlushedDatabasesAndUsesTheirNumbersAgain() {
        for (int round = 0; round < 300; round++) {
            string(3, "k", clock.millis() + 1000);
            hash(3, "h", 2);
            unit.begin(clock.millis(), true);
            unit.changeDatabases(unit.databases().flush(3));
            unit.commit();
            assertThat(size(3)).isZero();
            assertThat(rows(keyspace.tables().keys(0))).isEqualTo(2);
            work();
            assertThat(rows(keyspace.tables().keys(0))).isZero();
        }
        work();

        assertThat(rows(keyspace.tables().elements(0))).isZero();
        assertThat(rows(keyspace.tables().expiries(0))).isZero();
        assertThat(keyspace.tables().databases().dropped().isEmpty()).isTrue();
    }

    @Test
    void aLargeDatabaseIsFlushedByTakingAFreshOne() {
        unit.begin(clock.millis(), true);
        for (int i = 0; i < 1500; i++) {
            unit.space(2).putString(Bytes.utf8("k" + i), VALUE, Header.NEVER);
        }
        unit.commit();
        unit.begin(clock.millis(), true);
        new Flushes().flush(unit.space(2));
        assertThat(unit.space(2).size()).isZero();
        unit.space(2).putString(Bytes.utf8("k1"), VALUE, Header.NEVER);
        unit.commit();

        assertThat(size(2)).isOne();
        assertThat(rows(keyspace.tables().keys(0))).isEqualTo(1501);
        work();
        assertThat(rows(keyspace.tables().keys(0))).isOne();
        assertThat(size(2)).isOne();
    }

    @Test
    void aDamagedHeaderKeepsNoOtherKeyFromExpiring() {
        string(0, "damaged", clock.millis() + 1);
        string(0, "a", clock.millis() + 2);
        string(0, "b", clock.millis() + 3);
        damage(0, "damaged");
        clock.advance(Duration.ofMillis(10));
        Expirer expirer = new Expirer(keyspace, keyspace.tables().expiries(0));

        assertThat(expirer.step(clock.millis(), 100)).isEqualTo(2);
        assertThat(rows(keyspace.tables().keys(0))).isOne();
        assertThat(rows(keyspace.tables().expiries(0))).isOne();
        assertThat(expirer.step(clock.millis(), 100)).isZero();
    }

    /** Their rows stay in the queue, in front of the others. */
    @Test
    void manyDamagedHeadersKeepNoOtherKeyFromExpiring() {
        for (int i = 0; i < 10; i++) {
            string(0, "damaged" + i, clock.millis() + 1);
            damage(0, "damaged" + i);
        }
        string(0, "k", clock.millis() + 2);
        clock.advance(Duration.ofMillis(10));
        Expirer expirer = new Expirer(keyspace, keyspace.tables().expiries(0));

        for (int step = 0; step < 11; step++) {
            expirer.step(clock.millis(), 1);
        }
        assertThat(rows(keyspace.tables().keys(0))).isEqualTo(10);
    }

    @Test
    void aKeyWhoseHeaderIsMendedExpires() {
        string(0, "k", clock.millis() + 1);
        Header header = keyspace.tables().header(store, 0, Bytes.utf8("k")).orElseThrow();
        damage(0, "k");
        clock.advance(Duration.ofMillis(10));
        Expirer expirer = new Expirer(keyspace, keyspace.tables().expiries(0));
        assertThat(expirer.step(clock.millis(), 100)).isZero();

        putRow(0, "k", header.rowHead().concat(header.rowTail()));

        assertThat(expirer.step(clock.millis(), 100)).isOne();
        assertThat(rows(keyspace.tables().keys(0))).isZero();
        assertThat(rows(keyspace.tables().expiries(0))).isZero();
    }

    @Test
    void aFlushedDatabaseIsDroppedWithItsDamagedHeaders() {
        string(3, "damaged", clock.millis() + 1000);
        string(3, "k", clock.millis() + 1000);
        hash(3, "h", 2);
        damage(3, "damaged");
        unit.begin(clock.millis(), true);
        unit.changeDatabases(unit.databases().flush(3));
        unit.commit();

        work();
        work();

        assertThat(rows(keyspace.tables().keys(0))).isZero();
        assertThat(rows(keyspace.tables().elements(0))).isZero();
        assertThat(keyspace.tables().databases().dropped().isEmpty()).isTrue();
        // No header says when the damaged key's deadline was: its row goes when it is due.
        assertThat(rows(keyspace.tables().expiries(0))).isOne();
        clock.advance(Duration.ofSeconds(2));
        work();
        assertThat(rows(keyspace.tables().expiries(0))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "\u0000\u007f", "\u0009\u0005"})
    void damagedGarbageKeepsNoOtherFromBeingSwept(String note) {
        unit.begin(clock.millis(), true);
        unit.writes().put(keyspace.tables().garbage(0), Layout.garbage(0), Bytes.utf8(note));
        unit.commit();
        hash(0, "h", 3);
        unit.begin(clock.millis(), true);
        unit.space(0).remove(Bytes.utf8("h"));
        unit.commit();

        work();

        assertThat(rows(keyspace.tables().elements(0))).isZero();
        assertThat(rows(keyspace.tables().garbage(0))).isOne();
    }

    @Test
    void countsWhatWasThereAtOpenAndWhatCameSince() {
        string(0, "a", Header.NEVER);
        string(1, "a", Header.NEVER);
        keyspace.close();
        keyspace = Keyspace.open(store);
        unit = keyspace.newUnit();
        string(0, "b", Header.NEVER);

        assertThat(keyspace.counts().isReady()).isFalse();
        assertThat(size(0)).isEqualTo(2);
        assertThat(size(1)).isOne();
        assertThat(keyspace.counts().isReady()).isTrue();
    }

    @Test
    @Timeout(60)
    void runsByItselfAndStops() throws InterruptedException {
        string(0, "k", clock.millis() + 1);
        clock.advance(Duration.ofMillis(5));
        CountDownLatch ticks = new CountDownLatch(3);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        InstantSource observed = () -> {
            threads.add(Thread.currentThread());
            ticks.countDown();
            return clock.instant();
        };
        Housekeeping running = Housekeeping.start(keyspace, observed, FeedFollower.NONE);
        try {
            Await.opened(ticks);
        } finally {
            running.close();
        }

        assertThat(rows(keyspace.tables().keys(0))).isZero();
        // It runs on one thread, and nothing is left to run on once that thread has ended.
        assertThat(threads).hasSize(1);
        for (Thread thread : threads) {
            thread.join();
        }
        string(0, "k", clock.millis() + 1);
        clock.advance(Duration.ofMillis(5));
        assertThat(rows(keyspace.tables().keys(0))).isOne();
    }

    private void work() {
        try (Housekeeping once = new Housekeeping(keyspace, clock, FeedFollower.NONE)) {
            once.work();
        }
    }

    private void string(int db, String key, long expireAt) {
        unit.begin(clock.millis(), true);
        unit.space(db).putString(Bytes.utf8(key), VALUE, expireAt);
        unit.commit();
    }

    private void hash(int db, String key, int fields) {
        unit.begin(clock.millis(), true);
        Space space = unit.space(db);
        CollectionHeader hash = space.collectionOrNew(Bytes.utf8(key), Type.HASH);
        for (int i = 0; i < fields; i++) {
            space.elements(hash, ElementKind.HASH_FIELD).put(Bytes.utf8("f" + i), VALUE);
        }
        space.put(Bytes.utf8(key), hash.withSize(fields));
        unit.commit();
    }

    private void damage(int db, String key) {
        putRow(db, key, Bytes.of(new byte[] {0x7f}));
    }

    private void putRow(int db, String key, Bytes value) {
        Bytes name = Bytes.utf8(key);
        RowKey row = Layout.key(db, keyspace.tables().keyedHash().of(name), name);
        unit.begin(clock.millis(), true);
        unit.writes().put(keyspace.tables().keys(0), row, value);
        unit.commit();
    }

    private long size(int db) {
        unit.begin(clock.millis(), false);
        return unit.space(db).size();
    }

    private int rows(Table table) {
        int count = 0;
        try (Cursor rows = store.scan(table, KeyRange.ALL)) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
