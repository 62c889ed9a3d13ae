package io.polytable.entity.store;

import io.polytable.entity.key.EntityRange;

/**
 * A part of a table that can be scanned separately, also by another process.
 *
 * @param range its row keys, if parts are key ranges
 * @param token further information for the store
 */
public record Partition(EntityRange range, String token) {}
