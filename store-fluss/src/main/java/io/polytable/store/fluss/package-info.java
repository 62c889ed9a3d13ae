/**
 * The commit log in Apache Fluss: acknowledged commits are replicated, and can be recovered from Fluss alone.
 *
 * <p>Fluss provides a replicated table of rows with point lookups. It has no transactions, no compare-and-set and no
 * fencing of writers. But it returns to every writer the log end offset after its write, and all writes to one bucket have
 * one order. From these two facts {@link io.polytable.store.fluss.ownership} builds a log with one owner at a time, and
 * this package the rest (docs/formats/fluss-log.md shows the rows):
 *
 * <pre>
 * FlussLog.append -&gt; SendQueue -&gt; RowSender: RowPacker -&gt; FencedWriter -&gt; Fluss -&gt; acknowledged
 *                                      between rows: LogTrimmer, Lease
 * FlussLog.read   -&gt; PositionIndex: which row -&gt; RowFetcher: read-ahead -&gt; RowReader: records
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.fluss.FlussLog} is a table of one bucket, keyed (epoch, owner, seq). Commits made
 *       while a row is in flight go out as the next row.
 *   <li>A write that failed or timed out may have landed or not. The log does not guess: it fails, and the next process
 *       that opens it reads what is there, as after a crash.
 *   <li>Any acknowledged write renews the owner's {@link io.polytable.store.fluss.Lease}; without commits it writes a
 *       lease row periodically. Without a lease nothing read from memory is returned, since another server may own the
 *       log by now.
 *   <li>A {@link io.polytable.store.fluss.Checkpoint} of the state allows the log's oldest rows to be removed. A disk
 *       that the log alone cannot bring up to date is restored from the last checkpoint first ({@link
 *       io.polytable.store.fluss.CheckpointRestore}).
 * </ul>
 *
 * <p>A store may have several logs, one per partition of its tables ({@link io.polytable.store.fluss.FlussStore}). Each is
 * owned, checkpointed and recovered separately, and all by one process.
 *
 * <p>{@link io.polytable.store.fluss.FlussCluster} is the connection that everything of one store shares.
 */
@NullMarked
package io.polytable.store.fluss;

import org.jspecify.annotations.NullMarked;
