package io.polytable.store.fluss.ownership;

/**
 * A log that was won.
 *
 * @param chain the rows that are the log so far
 * @param own the new owner's rows, none yet
 * @param nextOffset where its first write has to land
 */
public record Ownership(Chain chain, RowSpan own, long nextOffset) {}
