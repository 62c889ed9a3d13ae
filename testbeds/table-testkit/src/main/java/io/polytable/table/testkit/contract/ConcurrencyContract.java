package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Concurrent use by many threads. */
interface ConcurrencyContract extends StoreUnderTest {
    int THREADS = 4;
    int ROUNDS = 200;

    /** Runs the task on so many threads and throws what any of them throws. */
    private static void onThreads(int threads, IntConsumer task) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                running.add(pool.submit(() -> task.accept(number)));
            }
            for (Future<?> one : running) {
                one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("a thread failed", e);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    default void noUpdateIsLostUnderItsStripe() {
        Table table = table();
        TableStore store = store();
        onThreads(THREADS, thread -> {
            for (int i = 0; i < ROUNDS; i++) {
                increment(store, table, key("counter/" + i % 3));
            }
        });
        StoreUnderTest.await(store.latest());
        betweenSteps();
        long sum = Rows.all(store(), table()).stream()
                .mapToLong(row -> Long.parseLong(row.substring(row.indexOf('=') + 1)))
                .sum();
        assertThat(sum).isEqualTo((long) THREADS * ROUNDS);
    }

    private static void increment(TableStore store, Table table, RowKey key) {
        Stripes stripes = store.stripes();
        int stripe = stripes.stripeOf(key.partition());
        stripes.lock(stripe);
        try {
            long before = store.read(table, key)
                    .map(text -> Long.parseLong(text.utf8()))
                    .orElse(0L);
            store.commit(new Batch().put(table, key, value(Long.toString(before + 1))));
        } finally {
            stripes.unlock(stripe);
        }
    }

    @Test
    default void writersOfDifferentRowsDoNotDisturbEachOther() {
        Table table = table();
        TableStore store = store();
        onThreads(THREADS, thread -> {
            Batch batch = new Batch();
            for (int i = 0; i < ROUNDS; i++) {
                RowKey own = key("p%d/%04d".formatted(thread, i));
                batch.clear();
                store.commit(batch.put(table, own, value("v" + i)));
                assertThat(store.read(table, own)).contains(value("v" + i));
            }
            assertThat(Rows.in(store, table, Rows.partition("p" + thread + "/")))
                    .hasSize(ROUNDS);
        });
        StoreUnderTest.await(store.latest());
        betweenSteps();
        assertThat(Rows.all(store(), table())).hasSize(THREADS * ROUNDS);
    }

    @Test
    default void aScanNeverSeesHalfABatch() {
        Table table = table();
        TableStore store = store();
        AtomicBoolean done = new AtomicBoolean();
        onThreads(2, thread -> {
            if (thread == 0) {
                for (int i = 0; i < ROUNDS; i++) {
                    Batch batch = new Batch();
                    for (int row = 0; row < 5; row++) {
                        batch.put(table, key("a/" + row), value("v" + i));
                    }
                    store.commit(batch);
                }
                done.set(true);
            } else {
                while (!done.get()) {
                    assertThat(values(Rows.in(store, table, Rows.partition("a/"))))
                            .hasSizeLessThanOrEqualTo(1);
                    assertThat(values(Rows.in(store, table, KeyRange.ALL))).hasSizeLessThanOrEqualTo(1);
                }
            }
        });
    }

    private static List<String> values(List<String> rows) {
        return rows.stream()
                .map(row -> row.substring(row.indexOf('=')))
                .distinct()
                .toList();
    }

    @Test
    default void aSnapshotNeverSeesHalfABatchOverTwoTables() {
        Table left = table("left");
        Table right = table("right");
        TableStore store = store();
        AtomicBoolean done = new AtomicBoolean();
        onThreads(2, thread -> {
            if (thread == 0) {
                for (int i = 0; i < ROUNDS; i++) {
                    store.commit(
                            new Batch().put(left, key("a/1"), value("v" + i)).put(right, key("b/1"), value("v" + i)));
                }
                done.set(true);
            } else {
                while (!done.get()) {
                    try (Snapshot snapshot = store.snapshot()) {
                        assertThat(snapshot.read(left, key("a/1"))).isEqualTo(snapshot.read(right, key("b/1")));
                    }
                }
            }
        });
    }

    @Test
    default void aCommitIsVisibleToOtherThreadsWhenItReturned() {
        Table table = table();
        TableStore store = store();
        AtomicInteger committed = new AtomicInteger();
        onThreads(2, thread -> {
            if (thread == 0) {
                for (int i = 1; i <= ROUNDS; i++) {
                    store.commit(new Batch().put(table, key("a/1"), value(Integer.toString(i))));
                    committed.set(i);
                }
            } else {
                for (int atLeast = 0; atLeast < ROUNDS; atLeast = committed.get()) {
                    int seen = store.read(table, key("a/1"))
                            .map(text -> Integer.parseInt(text.utf8()))
                            .orElse(0);
                    assertThat(seen).isGreaterThanOrEqualTo(atLeast);
                }
            }
        });
    }
}
