package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.change.KeyChanges;
import io.polytable.table.Bytes;
import io.polytable.table.TableStore;

/** The Redis data of a store: open one per store, and make a {@link UnitOfWork} per worker. */
public final class Keyspace implements AutoCloseable {
    /** How many databases a client can select. */
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

    /** With a known secret, so that rows have known bytes. */
    static Keyspace open(TableStore store, int shards, Bytes secret) {
        return new Keyspace(RedisTables.open(store, shards, secret));
    }

    /** One table for all keys. */
    public static Keyspace open(TableStore store) {
        return new Keyspace(RedisTables.open(store));
    }

    /** One table for all keys, and no more to be read at the same time than so much, whatever the heap. */
    public static Keyspace open(TableStore store, long readBytesMax) {
        return new Keyspace(RedisTables.open(store), new ReadBudget(readBytesMax));
    }

    /** A table per range of slots. */
    public static Keyspace openSharded(TableStore store, int shards) {
        return new Keyspace(RedisTables.openSharded(store, shards));
    }

    /** With as many shards as its rows were written with: for who reads or mends what is there. */
    public static Keyspace openAsWritten(TableStore store) {
        return new Keyspace(RedisTables.openAsWritten(store));
    }

    /** Where to hear of every change of a key. */
    public KeyChanges changes() {
        return changes;
    }

    public UnitOfWork newUnit() {
        return new UnitOfWork(tables, counts, changes, budget);
    }

    /** How many groups the keys are in; what is written together must be of one. */
    public int groups() {
        return tables.groups();
    }

    /** The group that the key is in. */
    public int group(Bytes key) {
        return tables.group(key);
    }

    public RedisTables tables() {
        return tables;
    }

    public KeyCounts counts() {
        return counts;
    }

    /** What was found and not found. */
    public Lookups lookups() {
        return counts.lookups();
    }

    public TableStore store() {
        return tables.store();
    }

    /** Lets go of what it holds of the store, which stays open. */
    @Override
    public void close() {
        counts.close();
    }
}
