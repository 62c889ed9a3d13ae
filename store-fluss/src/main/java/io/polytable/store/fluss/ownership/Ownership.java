package io.polytable.store.fluss.ownership;

/**
 * The result of winning a log.
 *
 * @param chain the rows that make up the log so far
 * @param own the new owner's rows, none yet
 * @param nextOffset the offset that its first write must get
 * @param leasedAt when the lease row was sent: the lease runs from then
 */
public record Ownership(Chain chain, RowSpan own, long nextOffset, Moment leasedAt) {}
