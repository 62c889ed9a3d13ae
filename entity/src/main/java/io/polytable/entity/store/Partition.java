package io.polytable.entity.store;

import io.polytable.entity.key.EntityRange;

/**
 * A part of a table that can be scanned by itself, also by another process.
 *
 * @param range the row keys it has, where parts are ranges of keys
 * @param token what else the store needs to find it
 */
public record Partition(EntityRange range, String token) {}
