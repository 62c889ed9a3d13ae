package io.polytable.entity.store;

import io.polytable.table.Bytes;

/** An edit of a row. A timestamp of {@link #NOW} means the store's time in puts, and unbounded in deletes. */
public sealed interface CellEdit {
    long NOW = Long.MAX_VALUE;
    long NO_TTL = 0;

    /**
     * A new version.
     *
     * @param ttlMillis the time to live of the cell, {@link #NO_TTL} for that of its group
     */
    record Put(ColumnPlace place, long timestamp, Bytes value, long ttlMillis) implements CellEdit {}

    /**
     * Increments a counter, which is eight big-endian bytes, or initializes it with the amount; returns the new value.
     */
    record Increment(ColumnPlace place, long amount, long ttlMillis) implements CellEdit {}

    /** All cells of the row up to the timestamp, included. */
    record DeleteRow(long upTo) implements CellEdit {}

    /** All cells of a family up to the timestamp, included. */
    record DeleteFamily(String groupId, String familyId, long upTo) implements CellEdit {}

    /** All versions of a column up to the timestamp, included. */
    record DeleteColumn(ColumnPlace place, long upTo) implements CellEdit {}

    /** The version with exactly the timestamp, or the newest. */
    record DeleteCell(ColumnPlace place, long timestamp) implements CellEdit {}
}
