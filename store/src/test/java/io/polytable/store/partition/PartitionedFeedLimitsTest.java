package io.polytable.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.file.FileLog;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits of change feeds in a store of several partitions. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PartitionedFeedLimitsTest {
    private static final int VALUE_BYTES = 64 << 10;

    /** Longer than a feed may go without a poll before it counts as idle. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger openReaders = new AtomicInteger();
    private final AtomicInteger openReadersMax = new AtomicInteger();

    private PartitionedStore open(int partitions, long feedBytes) {
        EngineOptions options = EngineOptions.DEFAULT
                .withMemory(16 << 20, 64 << 20)
                .withGenerations(8 << 20, Duration.ofMillis(10))
                .withFeedMemory(feedBytes)
                .withTiming(EngineFixture.quick(nanos));
        return PartitionedStore.open(
                directory,
                new Partitioning(partitions, PartitionedFeedLimitsTest::partitionOf),
                (path, member) -> open(path, options, member));
    }

    private Engine open(Path path, EngineOptions options, Membership member) {
        return EmbeddedStore.open(
                StoreDirectory.lock(path),
                options,
                member,
                log -> counting(CommitLog.class, FileLog.open(log, EngineFixture.LOG)),
                Recovery.Progress.NONE);
    }

    /** A table's name ends with the number of its partition. */
    private static int partitionOf(TableName name) {
        return name.name().charAt(name.name().length() - 1) - '0';
    }

    /** Counts the log readers that are open. */
    private <T> T counting(Class<T> type, T counted) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object result = call(counted, method, arguments);
                    if (result instanceof LogReader reader) {
                        openReadersMax.accumulateAndGet(openReaders.incrementAndGet(), Math::max);
                        return counting(LogReader.class, reader);
                    }
                    if (counted instanceof LogReader && method.getName().equals("close")) {
                        openReaders.decrementAndGet();
                    }
                    return result;
                }));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static List<Change> all(ChangeFeed feed) {
        List<Change> all = new ArrayList<>();
        for (List<Change> some = feed.poll(100, Duration.ZERO); !some.isEmpty(); some = feed.poll(100, Duration.ZERO)) {
            all.addAll(some);
        }
        return all;
    }

    /** A slow consumer is within a large commit of one partition, while the other partition holds commits for it. */
    @Test
    void aPollKeepsTheBacklogsOfAllPartitions() {
        int rows = 1000;
        int values = 12;
        try (PartitionedStore store = open(2, 4 << 20)) {
            Table large = store.create(EngineFixture.spec("t0"));
            Table held = store.create(EngineFixture.spec("t1"));
            try (Snapshot snapshot = store.snapshot()) {
                Batch batch = new Batch();
                for (int i = 0; i < rows; i++) {
                    batch.put(large, EngineFixture.key("k" + i), Bytes.utf8("v"));
                }
                store.commit(batch);
                for (int i = 0; i < values; i++) {
                    store.commit(new Batch().put(held, EngineFixture.key("k" + i), Bytes.of(new byte[VALUE_BYTES])));
                }
                store.flush();
                try (ChangeFeed slow = snapshot.changes(Set.of(large, held))) {
                    int polled = 0;
                    while (nanos.get() < IDLE_NANOS) {
                        polled += slow.poll(1, Duration.ZERO).size();
                        nanos.addAndGet(POLL_NANOS);
                    }
                    assertThatExceptionOfType(StoreException.class)
                            .as("there is no space for another backlog, and nobody is idle")
                            .isThrownBy(() -> snapshot.changes(Set.of(held)))
                            .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
                    assertThat(polled).isBetween(1, rows - 1);
                    assertThat(all(slow)).hasSize(rows + values - polled);
                }
            }
        }
    }

    /** A reader holds up to megabytes: with many partitions even one for each would exceed the share of the feeds. */
    @Test
    void allPartitionsShareTheReaders() {
        int partitions = 8;
        try (PartitionedStore store = open(partitions, 128 << 10)) {
            List<Table> tables = new ArrayList<>();
            List<ChangeFeed> feeds = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                tables.add(store.create(EngineFixture.spec("t" + partition)));
                feeds.add(store.changes(Set.of(tables.get(partition)), store.position()));
            }
            for (int round = 0; round < 20; round++) {
                for (Table table : tables) {
                    store.commit(new Batch().put(table, EngineFixture.key("k" + round), Bytes.utf8("v")));
                }
                store.flush();
                for (ChangeFeed feed : feeds) {
                    assertThat(feed.poll(10, Duration.ofSeconds(30))).hasSize(1);
                }
            }
            assertThat(openReadersMax.get()).isEqualTo(2);
            feeds.forEach(ChangeFeed::close);
            assertThat(openReaders.get()).isZero();
        }
    }
}
