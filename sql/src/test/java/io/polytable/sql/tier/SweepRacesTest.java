package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.table.Eviction;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sweep of old tombstones, and an eviction of events, with changes of the table between their steps. */
@Timeout(60)
class SweepRacesTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);
    private volatile Step.Listener listener = step -> {};
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        sql.close();
        SqlOptions options = SqlOptions.in(directory.resolve("sql")).withSteps(step -> listener.reached(step));
        sql = new TierFixture(new WithoutHousekeeping(store), options, clock);
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (deleted_retention_hours = 1)");
        sql.run("INSERT INTO t VALUES (1, 'a')");
        sql.run("DELETE FROM t WHERE id = 1");
    }

    @AfterEach
    void close() {
        listener = step -> {};
        sql.close();
        store.close();
    }

    /** Each sweep of these tests is their own. */
    private static final class WithoutHousekeeping extends ForwardingStore {
        WithoutHousekeeping(TableStore beneath) {
            super(beneath);
        }

        @Override
        public Commit commit(Batch batch) {
            if (Thread.currentThread().getName().equals("sql-housekeeping")) {
                throw new StoreException(StoreError.IO, "Housekeeping is off");
            }
            return super.commit(batch);
        }
    }

    private SqlTable table(String name) {
        return sql.face.engine().catalog().state().tables().stream()
                .filter(table -> table.def().name().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long hotRows() {
        long count = 0;
        try (Cursor cursor = store.scan(table("t").table(), KeyRange.ALL)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /** A sweep whose clock is ahead of the tombstone's retention; the action runs when its scan has begun. */
    private long sweep(Runnable afterScan) {
        TableStore hooked = new ForwardingStore(store) {
            @Override
            public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
                Cursor cursor = super.scan(table, range, direction, limit);
                afterScan.run();
                return cursor;
            }
        };
        return new Eviction(hooked, () -> clock.instant().plus(Duration.ofHours(2))).run(table("t"));
    }

    @Test
    void anOldTombstoneIsRemoved() {
        assertThat(sweep(() -> {})).isEqualTo(1);
        assertThat(hotRows()).isZero();
    }

    @Test
    void aTombstoneThatIsNewerThanTheScanStays() {
        clock.advance(Duration.ofMinutes(10));
        long removed = sweep(() -> {
            sql.run("INSERT INTO t VALUES (1, 'b')");
            sql.run("DELETE FROM t WHERE id = 1");
        });
        assertThat(removed).isZero();
        assertThat(hotRows()).as("the newer tombstone").isEqualTo(1);
    }

    @Test
    void aDeletedRowDoesNotComeBackWithAFlushThatBeganBeforeTheDelete() {
        clock.advance(Duration.ofMinutes(10));
        CountDownLatch snapshotTaken = new CountDownLatch(1);
        CountDownLatch swept = new CountDownLatch(1);
        listener = step -> {
            if (step == Step.SNAPSHOT_TAKEN) {
                snapshotTaken.countDown();
                Await.opened(swept);
            }
        };
        ColdTable cold = (ColdTable) table("t").cold();
        CompletableFuture<?>[] flush = new CompletableFuture<?>[1];
        sweep(() -> {
            sql.run("INSERT INTO t VALUES (1, 'b'), (2, 'c')");
            flush[0] = CompletableFuture.runAsync(() -> {
                try (Session other = sql.face.session("root")) {
                    TierFixture.run(other, "FLUSH TABLE t");
                }
            });
            Await.until(
                    "the flush has its snapshot, or waits for the sweep",
                    () -> snapshotTaken.getCount() == 0 || cold.changing.hasQueuedThreads());
            sql.run("DELETE FROM t WHERE id = 1");
        });
        swept.countDown();
        flush[0].join();
        assertThat(sql.ask("SELECT id FROM t")).containsExactly("2");
        assertThat(sql.ask("SELECT v FROM t WHERE id = 1")).isEmpty();
    }

    /** Whatever commits an eviction manages before it fails: a row that is left is found by its key. */
    @Test
    void aFailedEvictionLeavesNoEventWithoutItsIndexEntries() {
        sql.run("CREATE STREAM TABLE e (id BIGINT PRIMARY KEY, v INT) WITH (max_buffer = 1000000)");
        sql.run("INSERT INTO e SELECT x, 1 FROM range(1000) r(x)");
        sql.run("ALTER TABLE e SET (max_buffer = 10)");
        AtomicInteger commits = new AtomicInteger();
        TableStore failing = new ForwardingStore(store) {
            @Override
            public Commit commit(Batch batch) {
                if (commits.incrementAndGet() > 2) {
                    throw new StoreException(StoreError.IO, "The disk is gone");
                }
                return super.commit(batch);
            }
        };
        assertThatThrownBy(() -> new Eviction(failing, clock).run(table("e"))).isInstanceOf(StoreException.class);
        long left = Long.parseLong(sql.ask("SELECT count(*) FROM e").get(0));
        assertThat(left).isBetween(10L, 1000L);
        long found = 0;
        for (int id = 0; id < 1000; id += 50) {
            boolean scanned = !sql.ask("SELECT id FROM e WHERE id + 0 = " + id).isEmpty();
            boolean looked = !sql.ask("SELECT id FROM e WHERE id = " + id).isEmpty();
            assertThat(looked).as("event %d by its key", id).isEqualTo(scanned);
            found += looked ? 1 : 0;
        }
        assertThat(found).isPositive();
    }
}
