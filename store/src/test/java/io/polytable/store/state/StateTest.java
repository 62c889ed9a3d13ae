package io.polytable.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Opening again and closing while the state is in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StateTest {
    private static final Bytes KEY = Bytes.utf8("key");

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private State state;

    @SuppressWarnings("NullAway.Init")
    private StateTable table;

    @BeforeEach
    void open() {
        state = State.open(directory.resolve("state"), 1 << 20, 1);
        table = state.table("default");
    }

    @AfterEach
    void close() {
        state.close();
    }

    @Test
    void aStateThatCannotBeOpenedKeepsNoMemory() {
        Tuning tuning = new Tuning(1 << 20);
        // It is open already.
        assertThatThrownBy(() -> State.open(directory.resolve("state"), tuning, 1))
                .isInstanceOf(RocksDBException.class);
        assertThat(tuning.isClosed()).isTrue();
    }

    private static void assertRefused(StoreError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void theNameOfANewStateIsSynced() {
        Path fresh = directory.resolve("fresh").resolve("state");
        List<Path> synced = new ArrayList<>();
        State.open(fresh, 1 << 20, 1, synced::add).close();
        assertThat(synced).containsExactly(directory, fresh.getParent());
        State.open(fresh, 1 << 20, 1, path -> {
                    throw new AssertionError(path);
                })
                .close();
    }

    private Optional<Bytes> readElsewhere() {
        return CompletableFuture.supplyAsync(() -> state.read(table, KEY)).join();
    }

    private void failToReopen() {
        assertThatThrownBy(() -> state.reopen(Map.of(), false, () -> {
                    throw new IllegalStateException("The log cannot be read");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void afterAFailedReopenReadsAreRefusedUntilOneSucceeds() {
        List<Source> left = new ArrayList<>();
        assertThatThrownBy(() -> state.reopen(Map.of(), false, () -> {
                    left.add(state.scan(table, KeyRange.ALL, Direction.FORWARD));
                    throw new IllegalStateException("The log cannot be read");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertRefused(StoreError.TOO_MANY, () -> state.reopen(Map.of(), false, () -> {}));
        assertThatThrownBy(this::readElsewhere).cause().isInstanceOf(StoreException.class);
        assertRefused(StoreError.IO, () -> state.read(table, KEY));
        left.forEach(Source::close);
        state.reopen(Map.of(), false, () -> {});
        assertThat(readElsewhere()).isEmpty();
    }

    /** One key that is only there when the latch says so: reading it is a call that does not end. */
    private static List<Bytes> keyAfter(CountDownLatch entered, CountDownLatch latch) {
        return new AbstractList<>() {
            @Override
            public Bytes get(int index) {
                entered.countDown();
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return KEY;
            }

            @Override
            public int size() {
                return 1;
            }
        };
    }

    @Test
    void aCloseThatCannotEndRefusesReadersAndSaysThatRocksIsOpen() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        List<Bytes> keys = keyAfter(entered, latch);
        CompletableFuture<List<Optional<Bytes>>> reading =
                CompletableFuture.supplyAsync(() -> state.readMany(table, keys, 1000));
        entered.await();
        assertRefused(StoreError.IO, () -> state.close(Duration.ofMillis(5)));
        assertThat(state.isClosed()).isFalse();
        assertRefused(StoreError.CLOSED, () -> state.read(table, KEY));
        assertRefused(StoreError.CLOSED, () -> state.reopen(Map.of(), false, () -> {}));
        latch.countDown();
        assertThat(reading.join()).containsExactly(Optional.empty());
        state.close();
        assertThat(state.isClosed()).isTrue();
    }

    /** A store that failed is taken down while its metrics are read. */
    @Test
    void metricsOfAStateThatIsNotOpenAreNone() {
        assertThat(state.statistics()).containsKeys("flushed_position", "state_cache_bytes", "state_cache_hits_total");
        failToReopen();
        Map<String, Long> refused =
                CompletableFuture.supplyAsync(state::statistics).join();
        assertThat(refused).isEmpty();
        state.reopen(Map.of(), false, () -> {});
        assertThat(state.statistics()).isNotEmpty();
        state.close();
        assertThat(state.statistics()).isEmpty();
    }

    /** As a flush does, for as long as the disk takes. */
    @Test
    void metricsDoNotWaitForTheMonitor() {
        State held = state;
        synchronized (held) {
            assertThat(CompletableFuture.supplyAsync(held::statistics))
                    .succeedsWithin(Duration.ofSeconds(20))
                    .satisfies(values -> assertThat(values).containsEntry("flushed_position", 0L));
        }
    }

    @Test
    void aValueThatCouldNotBeLoadedIsNotThatOfTheRowBefore() {
        StateBatch batch = new StateBatch();
        batch.put(0, Bytes.utf8("a"), Bytes.utf8("1"));
        batch.put(0, Bytes.utf8("b"), Bytes.utf8("2"));
        state.write(batch);
        Source rows = state.scan(table, KeyRange.ALL, Direction.FORWARD);
        assertThat(rows.next()).isTrue();
        assertThat(rows.valueSlice().toBytes()).isEqualTo(Bytes.utf8("1"));
        assertThat(rows.next()).isTrue();
        rows.close();
        assertRefused(StoreError.CLOSED, rows::valueSlice);
        assertRefused(StoreError.CLOSED, rows::value);
    }
}
