package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.change.KeyChanges;
import io.polytable.table.Bytes;
import io.polytable.table.TableStore;

/** The Redis data of a store: open one per store, and make a {@link UnitOfWork} per worker. */
public final class Keyspace implements AutoCloseable {
    /** The number of databases that a client can select. */
    public static final int DATABASES = Databases.COUNT;

    private final RedisTables tables;
    private final KeyCounts counts;
    private final KeyChanges changes = new KeyChanges();
    private final ReadBudget budget;

    private Keyspace(RedisTables tables) {
        this(tables, new ReadBudget());
    }

    private Keyspace(RedisTables tables, ReadBudget budget) {
        this.tables = tables;
        this.budget = budget;
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

    /** Opens with one table for all keys and a fixed read budget, whatever the heap. */
    public static Keyspace open(TableStore store, long readBytesMax) {
        return new Keyspace(RedisTables.open(store), new ReadBudget(readBytesMax));
    }

    /** Opens with one table per range of slots. */
    public static Keyspace openSharded(TableStore store, int shards) {
        return new Keyspace(RedisTables.openSharded(store, shards));
    }

    /** Opens with the number of shards that its rows were written with, to read or repair them. */
    public static Keyspace openAsWritten(TableStore store) {
        return new Keyspace(RedisTables.openAsWritten(store));
    }

    /** Where to subscribe to changes of keys. */
    public KeyChanges changes() {
        return changes;
    }

    public UnitOfWork newUnit() {
        return new UnitOfWork(tables, counts, changes, budget);
    }

    /** The number of groups the keys are in; one commit must stay within one. */
    public int groups() {
        return tables.groups();
    }

    public int group(Bytes key) {
        return tables.group(key);
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
