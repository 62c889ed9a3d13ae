package io.polytable.redis.model.row;

import io.polytable.table.Bytes;

/** A row of a {@link HashRing}: its key after partition and hash, and its value. */
public record RingRow(Bytes sub, Bytes value) {}
