package io.polytable.redis.model.upkeep;

import io.polytable.table.Bytes;

/**
 * Something that {@link RedisCheck} found wrong.
 *
 * @param where the database, or the table when it is not about a key
 * @param key the Redis key, or the row's key when it is not about one
 */
public record Finding(String where, Bytes key, String problem) {
    @Override
    public String toString() {
        return where + " " + key + ": " + problem;
    }
}
