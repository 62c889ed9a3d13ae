package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.Slots;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of keys and elements for a number of shards, whatever the number that the store was written with.
 *
 * @param shards zero for one table of all keys
 */
public record ShardTables(int shards, List<Table> keys, List<Table> elements) {
    /** The tables, which are created if they are not there. */
    public static ShardTables create(TableStore store, int shards) {
        return new ShardTables(shards, tables(store, "keys", shards), tables(store, "elements", shards));
    }

    private static List<Table> tables(TableStore store, String name, int shards) {
        List<Table> all = new ArrayList<>();
        for (int part = 0; part < Math.max(1, shards); part++) {
            all.add(RedisTables.create(store, shards == 0 ? name : PartitionLayout.numbered(name, part)));
        }
        return List.copyOf(all);
    }

    /** The number of the tables that a key belongs to. */
    public int part(Bytes key) {
        return shards == 0 ? 0 : Slots.shard(key, shards);
    }

    /** The tables that these have and others do not. */
    public List<Table> without(ShardTables others) {
        List<Table> only = new ArrayList<>(keys);
        only.addAll(elements);
        only.removeAll(others.keys);
        only.removeAll(others.elements);
        return only;
    }
}
