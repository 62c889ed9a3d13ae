package io.polytable.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.engine.ScriptedLog;
import io.polytable.store.engine.Tickets;
import io.polytable.store.log.file.FileLog;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is particular to a store of several partitions. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PartitionedStoreTest {
    private static final int PARTITIONS = 3;

    @TempDir
    Path directory;

    /** A table's name ends with the number of its partition. */
    private static int partitionOf(TableName name) {
        return name.name().charAt(name.name().length() - 1) - '0';
    }

    private PartitionedStore open() {
        return open(directory, PARTITIONS);
    }

    private static PartitionedStore open(Path at, int partitions) {
        return EmbeddedStore.openPartitions(
                at,
                new Partitioning(partitions, PartitionedStoreTest::partitionOf),
                EngineFixture.eager(),
                EngineFixture.LOG,
                Recovery.Progress.NONE);
    }

    private static Table table(PartitionedStore store, int partition) {
        return store.create(EngineFixture.spec("t" + partition));
    }

    private static Commit put(PartitionedStore store, int partition, String key, String value) {
        return store.commit(new Batch().put(table(store, partition), EngineFixture.key(key), Bytes.utf8(value)));
    }

    private static String get(PartitionedStore store, int partition, String key) {
        return store.read(table(store, partition), EngineFixture.key(key))
                .map(Bytes::utf8)
                .orElse("absent");
    }

    private static void await(Commit commit) {
        commit.durable().toCompletableFuture().join();
        assertThat(commit.isDurable()).isTrue();
    }

    @Test
    void aBatchAcrossPartitionsIsRefusedWhole() {
        try (PartitionedStore store = open()) {
            put(store, 0, "a", "before");
            Position before = store.position();
            Batch batch = new Batch()
                    .put(table(store, 0), EngineFixture.key("a"), Bytes.utf8("after"))
                    .put(table(store, 2), EngineFixture.key("a"), Bytes.utf8("after"));
            Position created = store.position();
            StoreException refused = catchThrowableOfType(StoreException.class, () -> store.commit(batch));
            assertThat(refused.error()).isEqualTo(StoreError.CROSS_PARTITION);
            assertThat(store.position()).isEqualTo(created).isNotEqualTo(before);
            assertThat(get(store, 0, "a")).isEqualTo("before");
            assertThat(get(store, 2, "a")).isEqualTo("absent");
        }
    }

    @Test
    void idsOfTablesAndTicketsAreUniqueOverPartitionsAndRestarts() {
        Set<Integer> ids = new HashSet<>();
        long last = 0;
        for (int round = 0; round < PARTITIONS; round++) {
            try (PartitionedStore store = open()) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    TableName name = table(store, partition).name();
                    assertThat(store.partition(name)).isEqualTo(partition);
                    assertThat(ids.add(table(store, partition).id())).isTrue();
                    store.drop(name);
                }
                long ticket = store.ticket();
                assertThat(ticket).isGreaterThan(last);
                // Only one log hears of it, each time another.
                await(put(store, round, "ticket", Long.toString(ticket)));
                last = ticket;
            }
        }
    }

    @Test
    void everyPartitionIsThereAgain() {
        try (PartitionedStore store = open()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                put(store, partition, "k", "of " + partition);
            }
            await(store.latest());
        }
        try (PartitionedStore store = open()) {
            assertThat(store.tables()).extracting(found -> found.name().name()).containsExactly("t0", "t1", "t2");
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(get(store, partition, "k")).isEqualTo("of " + partition);
            }
        }
    }

    @Test
    void anotherNumberOfPartitionsIsRefused() {
        open().close();
        assertThatThrownBy(() -> open(directory, 2)).hasMessageContaining("another number of partitions");
        assertThatThrownBy(() -> PartitionDirectories.take(directory, 1))
                .hasMessageContaining("another number of partitions");
        Path single = directory.resolve("single");
        EmbeddedStore.open(single, EngineFixture.eager(), EngineFixture.LOG).close();
        assertThatThrownBy(() -> open(single, PARTITIONS)).hasMessageContaining("another number of partitions");
    }

    @Test
    void aPartitionOfAnotherNumberOfPartitionsIsRefused() {
        try (PartitionedStore store = open()) {
            table(store, 2);
        }
        StoreDirectory held = StoreDirectory.lock(PartitionDirectories.of(directory, 2));
        Membership other = new Membership(1, 2, new Tickets(), new Stripes());
        assertThatThrownBy(() -> EmbeddedStore.open(
                        held,
                        EngineFixture.eager(),
                        other,
                        at -> FileLog.open(at, EngineFixture.LOG),
                        Recovery.Progress.NONE))
                .hasMessageContaining("another number of partitions");
    }

    @Test
    void aFeedShowsAllPartitionsAndGoesOnFromAnyCommit() {
        try (PartitionedStore store = open()) {
            Set<Table> tables = Set.of(table(store, 0), table(store, 1), table(store, 2));
            Position from = store.position();
            for (int i = 0; i < 30; i++) {
                put(store, i % PARTITIONS, "k" + i, "v");
            }
            await(store.latest());
            List<Change> all = read(store, tables, from);
            assertThat(all).hasSize(30).allMatch(Change::last);
            for (int i = 0; i < all.size(); i++) {
                Set<Bytes> rest = new HashSet<>();
                read(store, tables, all.get(i).position()).forEach(change -> rest.add(change.key()));
                Set<Bytes> expected = new HashSet<>();
                all.subList(i + 1, all.size()).forEach(change -> expected.add(change.key()));
                assertThat(rest).isEqualTo(expected);
            }
        }
    }

    private static List<Change> read(PartitionedStore store, Set<Table> tables, Position from) {
        List<Change> seen = new ArrayList<>();
        try (ChangeFeed feed = store.changes(tables, from)) {
            for (List<Change> some = feed.poll(4, Duration.ZERO); !some.isEmpty(); some = feed.poll(4, Duration.ZERO)) {
                seen.addAll(some);
            }
        }
        return seen;
    }

    @Test
    void aFeedWaitsForAnyPartition() {
        try (PartitionedStore store = open()) {
            Set<Table> tables = Set.of(table(store, 0), table(store, 2));
            for (int partition : new int[] {0, 2}) {
                try (ChangeFeed feed = store.changes(tables, store.position())) {
                    assertThat(feed.poll(10, Duration.ofMillis(1))).isEmpty();
                    CompletableFuture<List<Change>> waiting =
                            CompletableFuture.supplyAsync(() -> feed.poll(10, Duration.ofSeconds(30)));
                    await(put(store, partition, "k", "v"));
                    assertThat(waiting.join()).hasSize(1);
                }
            }
        }
    }

    /** Whoever writes to one partition and then to the next never leaves a snapshot that has the second alone. */
    @Test
    void aSnapshotShowsOneMomentOfAllPartitions() {
        try (PartitionedStore store = open()) {
            table(store, 0);
            table(store, 2);
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (int i = 100; i < 1000 && !done.get(); i++) {
                    put(store, 2, "k", Integer.toString(i));
                    put(store, 0, "k", Integer.toString(i));
                }
                done.set(true);
            });
            while (!done.get()) {
                try (Snapshot snapshot = store.snapshot()) {
                    String first = read(snapshot, table(store, 2));
                    String second = read(snapshot, table(store, 0));
                    assertThat(first).isGreaterThanOrEqualTo(second);
                }
            }
            writer.join();
        }
    }

    private static String read(Snapshot snapshot, Table table) {
        return snapshot.read(table, EngineFixture.key("k")).map(Bytes::utf8).orElse("");
    }

    @Test
    void aBackupHoldsAllPartitions() {
        Path backup = directory.resolve("backup");
        Path target = directory.resolve("restored");
        try (PartitionedStore store = open(directory.resolve("data"), PARTITIONS)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                put(store, partition, "k", "of " + partition);
            }
            Backup.write(store.engines(), new Backup.Request(backup));
            put(store, 1, "later", "v");
        }
        Backup.restore(backup, target);
        assertThatThrownBy(() -> Backup.restore(backup, target)).hasMessageContaining("not empty");
        try (PartitionedStore store = open(target, PARTITIONS)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(get(store, partition, "k")).isEqualTo("of " + partition);
            }
            assertThat(get(store, 1, "later")).isEqualTo("absent");
        }
    }

    @Test
    void anUnfinishedRestoreIsRefused() throws IOException {
        Path backup = directory.resolve("backup");
        Path target = directory.resolve("restored");
        try (PartitionedStore store = open(directory.resolve("data"), PARTITIONS)) {
            put(store, 1, "k", "v");
            Backup.write(store.engines(), new Backup.Request(backup));
        }
        Backup.restore(backup, target);
        Files.delete(target.resolve("GROUPS"));
        assertThatThrownBy(() -> open(target, PARTITIONS)).hasMessageContaining("did not finish");
    }

    /** What was seen of a partition whose log failed cannot become durable, and so nothing that was seen with it. */
    @Test
    void aPartitionThatFailsFailsTheStore() {
        AtomicReference<ScriptedLog> second = new AtomicReference<>();
        try (PartitionedStore store = PartitionedStore.open(
                directory, new Partitioning(PARTITIONS, PartitionedStoreTest::partitionOf), (at, member) -> {
                    StoreDirectory held = StoreDirectory.lock(at);
                    return EmbeddedStore.open(
                            held,
                            EngineFixture.lazy(),
                            member,
                            log -> {
                                ScriptedLog scripted = new ScriptedLog(FileLog.open(log, EngineFixture.LOG));
                                if (member.partition() == 1) {
                                    second.set(scripted);
                                }
                                return scripted;
                            },
                            Recovery.Progress.NONE);
                })) {
            put(store, 0, "a", "v");
            await(put(store, 1, "a", "v"));
            assertThat(store.engines()).allMatch(engine -> engine.failure().isEmpty());
            Optional.ofNullable(second.get()).orElseThrow().failAppend = true;
            put(store, 1, "b", "v");
            Commit elsewhere = put(store, 0, "b", "v");
            assertThatThrownBy(() -> elsewhere.durable().toCompletableFuture().join())
                    .isNotNull();
            assertThat(elsewhere.isDurable()).isFalse();
            assertThat(store.engines().get(1).failure()).isPresent();
        }
    }

    /** A large commit shows its first rows long before it returns. */
    @Test
    void theLatestCommitCoversRowsThatAreShownBeforeTheirCommitReturns() {
        try (PartitionedStore store = open()) {
            Table table = table(store, 1);
            Batch batch = new Batch();
            for (int i = 0; i < 100_000; i++) {
                batch.put(table, EngineFixture.key("k" + i), Bytes.utf8("v"));
            }
            Position before = store.position();
            CompletableFuture<Commit> commit = CompletableFuture.supplyAsync(() -> store.commit(batch));
            while (store.read(table, EngineFixture.key("k0")).isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(store.latest().position())
                    .isNotEqualTo(before)
                    .isEqualTo(commit.join().position());
        }
    }
}
