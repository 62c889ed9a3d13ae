package io.polytable.redis.model.row;

import io.polytable.table.Bytes;

/** A row of a {@link Ring}, without what stands before its own bytes. */
public record ScatteredRow(Bytes sub, Bytes value) {}
