package io.polytable.redis.model.keyspace;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.util.Locale;
import java.util.Map;

/**
 * The placement of the frontend's tables in the groups of the store. Groups are equal ranges of shards. Deadlines and
 * garbage are in the group of their key, so that a command on keys of one group stays in it. The settings are in the
 * first group.
 *
 * @param shards 0 for not sharded
 */
public record GroupLayout(int shards, int groups) {
    public GroupLayout {
        if (groups > 1 && shards < groups) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "Redis keys cannot be in more groups than there are shards (0: not sharded)",
                    Map.of("shards", shards, "groups", groups));
        }
    }

    /** Shards and groups have two digits in the names of tables. */
    static String numbered(String name, int number) {
        return String.format(Locale.ROOT, "%s_%02d", name, number);
    }

    /** Accepts any part, since a damaged header may name one that is too large. */
    int groupOfPart(int part) {
        return groups == 1 ? 0 : Math.min(part, shards - 1) * groups / shards;
    }

    /** The group in which to create the table; the first one for tables of other frontends. */
    public int groupOf(TableName table) {
        String name = table.name();
        int digits = name.lastIndexOf('_') + 1;
        if (groups == 1 || digits == 0 || !table.namespace().equals(RedisTables.NAMESPACE)) {
            return 0;
        }
        int number = Integer.parseInt(name.substring(digits));
        return switch (name.substring(0, digits - 1)) {
            case "keys", "elements" -> groupOfPart(number);
            case "expiries", "garbage" -> number;
            default -> 0;
        };
    }

    /** Refuses a store that was written with another layout. */
    void check(TableStore store, TableName table) {
        if (groups > 1 && store.group(table) != groupOf(table)) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "A Redis table is in another group than its shard",
                    Map.of("table", table, "group", store.group(table)));
        }
    }
}
