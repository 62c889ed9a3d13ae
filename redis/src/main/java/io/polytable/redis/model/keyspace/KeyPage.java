package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import java.util.List;

/**
 * One step of a SCAN over keys.
 *
 * @param cursor where the next step continues; 0 when this was the last
 */
public record KeyPage(List<Bytes> keys, long cursor) {}
