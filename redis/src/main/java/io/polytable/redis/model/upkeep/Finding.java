package io.polytable.redis.model.upkeep;

import io.polytable.table.Bytes;

/**
 * An inconsistency that {@link RedisIntegrity} found.
 *
 * @param where the database, or the table when it does not concern a key
 * @param key the Redis key, or the row's key when it does not concern one
 */
public record Finding(String where, Bytes key, String problem) {
    @Override
    public String toString() {
        return where + " " + key + ": " + problem;
    }
}
