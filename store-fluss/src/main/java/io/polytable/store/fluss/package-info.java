/**
 * The commit log in Apache Fluss: what is acknowledged is replicated, and comes back from Fluss alone.
 *
 * <p>Fluss gives a replicated table of rows with point lookups. It has no transactions, no compare-and-set and no fencing
 * of writers. It does tell every writer the log end offset behind its write, and all writes to one bucket have one order.
 * From that alone {@link io.polytable.store.fluss.ownership} makes a log with one owner at a time, and this package the rest
 * (docs/formats/fluss-log.md shows the rows):
 *
 * <pre>
 * FlussLog.append -&gt; SendQueue -&gt; RowSender: RowPacker -&gt; FencedWriter -&gt; Fluss -&gt; acknowledged
 *                                      between rows: LogTrimmer, Lease
 * FlussLog.read   -&gt; PositionIndex: which row -&gt; RowFetcher: rows ahead -&gt; RowReader: records
 * </pre>
 *
 * <ul>
 *   <li>A log is a table of one bucket, keyed (epoch, owner, seq). What the engine committed while the last row was in
 *       flight goes out as the next one.
 *   <li>A write that failed or took too long may be there or not. Nobody guesses: the log fails, and whoever opens it
 *       next sees what is there, in the same way as after a crash.
 *   <li>The owner's {@link io.polytable.store.fluss.Lease} is any acknowledged write, and one now and then when there is none
 *       to make. Without it nothing read from memory goes out, since another server may own the log by now.
 *   <li>Images of the state ({@link io.polytable.store.fluss.Checkpoint}) let the log's oldest rows go. A disk that the log
 *       alone cannot bring up to date gets the last image first ({@link io.polytable.store.fluss.CheckpointRestore}).
 * </ul>
 *
 * <p>A store may have several logs, one for each group of tables ({@link io.polytable.store.fluss.FlussStore}). Each is owned,
 * checkpointed and recovered by itself, and all by one process.
 *
 * <p>{@link io.polytable.store.fluss.FlussCluster} is the connection that everything for one store shares.
 */
@NullMarked
package io.polytable.store.fluss;

import org.jspecify.annotations.NullMarked;
