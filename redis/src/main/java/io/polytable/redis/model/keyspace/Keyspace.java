package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import org.jspecify.annotations.Nullable;

/** The Redis data of a store: open one per store, and make a {@link UnitOfWork} per worker. */
public final class Keyspace implements AutoCloseable {
    /** The number of databases that a client can select. */
    public static final int DATABASES = Databases.COUNT;

    private final RedisTables tables;
    private final KeyCounts counts;
    private final KeyChanges changes = new KeyChanges();

    private Keyspace(RedisTables tables) {
        this.tables = tables;
        counts = KeyCounts.of(tables);
    }

    /** Opens with a known secret, so that tests know the bytes of rows. */
    static Keyspace open(TableStore store, int shards, Bytes secret) {
        return new Keyspace(RedisTables.open(store, shards, secret));
    }

    /** Opens with one table for all keys. */
    public static Keyspace open(TableStore store) {
        return new Keyspace(RedisTables.open(store));
    }

    /**
     * Opens with the memory that the server assigned.
     *
     * @param shards the number of ranges of slots with a table of their own; zero for one table for all keys
     */
    public static Keyspace open(TableStore store, int shards, RedisMemory memory) {
        return new Keyspace(
                shards > 0 ? RedisTables.openSharded(store, shards, memory) : RedisTables.open(store, memory));
    }

    /** Opens with one table per range of slots. */
    public static Keyspace openSharded(TableStore store, int shards) {
        return new Keyspace(RedisTables.openSharded(store, shards));
    }

    /** Opens with the number of shards that its rows were written with, to read or repair them. */
    public static Keyspace openAsWritten(TableStore store) {
        return new Keyspace(RedisTables.openAsWritten(store));
    }

    /** Lets clients select only the first databases. The others keep their keys. */
    public void limitDatabases(int count) {
        tables.limitDatabases(count);
    }

    /** Where to subscribe to changes of keys. */
    public KeyChanges changes() {
        return changes;
    }

    public UnitOfWork newUnit() {
        return new UnitOfWork(tables, counts, changes, memory().reads());
    }

    /**
     * A unit that sees the keys as the snapshot does, for readers of rows: key by key through {@link KeyRows}, then a
     * value by its header. It must not look keys up, which is counted, nor use what is cached, nor write.
     */
    public UnitOfWork newUnit(Snapshot snapshot) {
        return new UnitOfWork(tables, snapshot, tables.databases(snapshot), counts, changes, memory().reads());
    }

    /**
     * Shows all commits of keys to the follower, in place of an earlier one; null for nobody. Commits whose stripes were
     * taken after this call are seen; hold all stripes to know where that begins.
     */
    public void follow(@Nullable CommitFollower follower) {
        tables.follow(follower);
    }

    /** The memory of this protocol. */
    public RedisMemory memory() {
        return tables.memory();
    }

    /** The number of partitions the keys are in; one commit must stay within one. */
    public int partitions() {
        return tables.partitions();
    }

    public int partition(Bytes key) {
        return tables.partition(key);
    }

    /** Whether keys may go without a command that removes them. */
    public BackgroundRemoval removal() {
        return tables.removal();
    }

    public RedisTables tables() {
        return tables;
    }

    public KeyCounts counts() {
        return counts;
    }

    /** Counters of hits, misses and expired keys. */
    public Lookups lookups() {
        return counts.lookups();
    }

    public TableStore store() {
        return tables.store();
    }

    /** Releases the snapshot it may hold; the store stays open. */
    @Override
    public void close() {
        counts.close();
    }
}
