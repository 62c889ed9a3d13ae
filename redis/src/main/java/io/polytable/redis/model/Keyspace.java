package io.polytable.redis.model;

import io.polytable.table.TableStore;

/** Everything the face keeps in a store: open one per store, and make a {@link UnitOfWork} per worker. */
public final class Keyspace {
    /** How many databases a client can select. */
    public static final int DATABASES = Databases.COUNT;

    private final RedisTables tables;
    private final KeyCounts counts = new KeyCounts();

    private Keyspace(RedisTables tables) {
        this.tables = tables;
    }

    /** One table for all keys. */
    public static Keyspace open(TableStore store) {
        return new Keyspace(RedisTables.open(store));
    }

    /** A table per range of slots. */
    public static Keyspace openSharded(TableStore store, int shards) {
        return new Keyspace(RedisTables.openSharded(store, shards));
    }

    public UnitOfWork newUnit() {
        return new UnitOfWork(tables, counts);
    }

    public TableStore store() {
        return tables.store();
    }
}
