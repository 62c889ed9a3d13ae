package io.polytable.redis.model.keyspace;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.util.Locale;
import java.util.Map;

/**
 * The placement of the frontend's tables in the partitions of the store. Partitions are equal ranges of shards. Deadlines and
 * garbage are in the partition of their key, so that a command on keys of one partition stays in it. The settings are in the
 * first partition.
 *
 * @param shards 0 for not sharded
 */
public record PartitionLayout(int shards, int partitions) {
    public PartitionLayout {
        if (partitions > 1 && shards < partitions) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "Redis keys cannot be in more partitions than there are shards (0: not sharded)",
                    Map.of("shards", shards, "partitions", partitions));
        }
    }

    /** Shards and partitions have two digits in the names of tables. */
    static String numbered(String name, int number) {
        return String.format(Locale.ROOT, "%s_%02d", name, number);
    }

    /** Accepts any part, since a damaged header may name one that is too large. */
    int partitionOfPart(int part) {
        return partitions == 1 ? 0 : Math.min(part, shards - 1) * partitions / shards;
    }

    /** The partition in which to create the table; the first one for tables of other frontends. */
    public int partitionOf(TableName table) {
        String name = table.name();
        int digits = name.lastIndexOf('_') + 1;
        if (partitions == 1 || digits == 0 || !table.namespace().equals(RedisTables.NAMESPACE)) {
            return 0;
        }
        int number = Integer.parseInt(name.substring(digits));
        return switch (name.substring(0, digits - 1)) {
            case "keys", "elements" -> partitionOfPart(number);
            case "expiries", "garbage" -> number;
            default -> 0;
        };
    }

    /** Refuses a store that was written with another layout. */
    void check(TableStore store, TableName table) {
        if (partitions > 1 && store.partition(table) != partitionOf(table)) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "A Redis table is in another partition than its shard",
                    Map.of("table", table, "partition", store.partition(table)));
        }
    }
}
