package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.upkeep.Housekeeping;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.write.WriteSet;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A keyspace whose shards are in several partitions. */
class PartitionedKeyspaceTest {
    private static final int PARTITIONS = 4;
    private static final int SHARDS = 8;
    private static final FileLogOptions LOG = FileLogOptions.defaults().withSegmentBytes(1 << 20);
    private static final Bytes VALUE = Bytes.utf8("v");
    private static final List<Bytes> KEYS =
            IntStream.range(0, 64).mapToObj(i -> Bytes.utf8("k" + i)).toList();

    @TempDir
    private Path directory = Path.of(".");

    private long nowMillis = 1_000_000;
    private PartitionedStore store;
    private Keyspace keyspace;
    private UnitOfWork unit;

    private PartitionedStore openStore() {
        return EmbeddedStore.openPartitions(
                directory,
                new Partitioning(PARTITIONS, new PartitionLayout(SHARDS, PARTITIONS)::partitionOf),
                EngineOptions.DEFAULT.withMemory(16 << 20, 32 << 20),
                LOG,
                Recovery.Progress.NONE);
    }

    @BeforeEach
    void open() {
        store = openStore();
        keyspace = Keyspace.openSharded(store, SHARDS);
        unit = keyspace.newUnit();
    }

    @AfterEach
    void close() {
        keyspace.close();
        store.close();
    }

    private void reopen() {
        close();
        open();
    }

    /** A string with a deadline and a hash for each key, in a commit each. */
    private void fill(int database) {
        for (Bytes key : KEYS) {
            unit.begin(nowMillis, true);
            unit.space(database).putString(key, VALUE, nowMillis + 1000);
            Bytes hash = Bytes.utf8("{" + key.utf8() + "}h");
            var unused = new Hashes().put(unit.space(database), hash, List.of(VALUE, VALUE));
            unit.commit();
        }
    }

    private void work() {
        new Housekeeping(keyspace, () -> Instant.ofEpochMilli(nowMillis), FeedFollower.NONE).work();
    }

    private long size(int database) {
        unit.begin(nowMillis, false);
        return unit.space(database).size();
    }

    private long rows(Table table) {
        long count = 0;
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    private long rows(List<Table> tables) {
        return tables.stream().mapToLong(this::rows).sum();
    }

    private void assertSound() {
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    @Test
    void whatBelongsToAKeyIsInItsPartition() {
        fill(0);
        assertThat(KEYS.stream().map(keyspace::partition).distinct()).hasSize(PARTITIONS);
        RedisTables tables = keyspace.tables();
        for (int part = 0; part < SHARDS; part++) {
            int partition = part * PARTITIONS / SHARDS;
            assertThat(store.partition(tables.keys(part).name())).isEqualTo(partition);
            assertThat(store.partition(tables.elements(part).name())).isEqualTo(partition);
            assertThat(store.partition(tables.expiries(part).name())).isEqualTo(partition);
            assertThat(store.partition(tables.garbage(part).name())).isEqualTo(partition);
        }
        assertThat(rows(tables.expiryTables())).isEqualTo(KEYS.size());
        assertSound();
    }

    @Test
    void aUnitAcrossPartitionsIsRefusedWhole() {
        unit.begin(nowMillis, true);
        KEYS.forEach(key -> unit.space(0).putString(key, VALUE, Header.NEVER));
        StoreException refused = catchThrowableOfType(StoreException.class, () -> unit.commit());
        assertThat(refused.error()).isEqualTo(StoreError.CROSS_PARTITION);
        assertThat(size(0)).isZero();
    }

    @Test
    void keysOfAllPartitionsExpireAndAreSwept() {
        fill(0);
        for (Bytes key : KEYS) {
            unit.begin(nowMillis, true);
            unit.space(0).remove(Bytes.utf8("{" + key.utf8() + "}h"));
            unit.commit();
        }
        assertThat(rows(keyspace.tables().garbageTables())).isEqualTo(KEYS.size());
        nowMillis += 2000;
        work();
        assertThat(size(0)).isZero();
        assertThat(rows(keyspace.tables().garbageTables())).isZero();
        assertThat(rows(keyspace.tables().expiryTables())).isZero();
        IntStream.range(0, SHARDS)
                .forEach(part ->
                        assertThat(rows(keyspace.tables().elements(part))).isZero());
    }

    @Test
    void flushedDatabasesAreEmptyAtOnceAndDroppedLater() {
        fill(2);
        fill(3);
        unit.begin(nowMillis, true);
        new Flushes().flushAll(unit.space(0));
        unit.commit();
        assertThat(size(2)).isZero();
        assertThat(size(3)).isZero();
        assertThat(keyspace.tables().databases().dropped().cardinality())
                .as("empty databases cost nothing")
                .isEqualTo(2);
        reopen();
        assertThat(size(2)).isZero();
        work();
        work();
        assertThat(keyspace.tables().databases().dropped().isEmpty()).isTrue();
        assertThat(rows(keyspace.tables().garbageTables())).isZero();
        assertSound();
    }

    @Test
    void aFlushWithoutASpareDatabaseIsRefused() {
        for (int i = 0; i < Databases.PHYSICAL_COUNT - Databases.COUNT; i++) {
            unit.begin(nowMillis, true);
            unit.space(0).putString(VALUE, VALUE, Header.NEVER);
            unit.commit();
            unit.begin(nowMillis, true);
            new Flushes().flush(unit.space(0));
            unit.commit();
        }
        unit.begin(nowMillis, true);
        assertThatThrownBy(() -> new Flushes().flush(unit.space(0)))
                .isInstanceOf(RedisError.class)
                .hasMessageContaining("try again");
        unit.abandon();
        work();
        unit.begin(nowMillis, true);
        new Flushes().flush(unit.space(0));
        unit.commit();
    }

    /** As a backup has them whose partitions are of different moments. */
    @Test
    void keysOfADatabaseThatNobodyKnowsGoBeforeItsNumberIsUsed() {
        fill(1);
        Databases known = keyspace.tables().databases();
        unit.begin(nowMillis, true);
        unit.changeDatabases(known.flush(1));
        unit.commit();
        fill(1);
        WriteSet back = new WriteSet(store);
        keyspace.tables().writeDatabases(back, known);
        back.commit();
        reopen();
        assertThat(size(1)).isEqualTo(2L * KEYS.size());
        BitSet dropped = keyspace.tables().databases().dropped();
        assertThat(dropped.cardinality()).isOne();
        work();
        work();
        assertThat(keyspace.tables().databases().dropped().isEmpty()).isTrue();
        unit.begin(nowMillis, true);
        new Flushes().flush(unit.space(1));
        unit.commit();
        assertThat(size(1)).isZero();
        assertSound();
    }

    @Test
    void collectionsOfDifferentPartitionsNeverShareAnId() {
        fill(0);
        reopen();
        fill(1);
        assertSound();
    }

    @Test
    void fewerShardsThanPartitionsAreRefused() {
        assertThatThrownBy(() -> new PartitionLayout(2, PARTITIONS))
                .hasMessageContaining("more partitions than there are shards");
        assertThatThrownBy(() -> Keyspace.open(store)).hasMessageContaining("more partitions than there are shards");
        assertThatThrownBy(() -> Keyspace.openSharded(store, 4)).hasMessageContaining("another number of shards");
    }
}
