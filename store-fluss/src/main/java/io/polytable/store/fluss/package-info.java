/**
 * The commit log in Apache Fluss: what is acknowledged is replicated, and comes back from Fluss alone.
 *
 * <p>Fluss gives a replicated table of rows with point lookups. It has no transactions, no compare-and-set and no fencing
 * of writers. It does tell every writer the log end offset behind its write, and all writes to one bucket have one order.
 * From that alone this package makes a log with one owner at a time (docs/formats/fluss-log.md shows the rows):
 *
 * <ul>
 *   <li>A log is a table of one bucket, keyed (epoch, owner, seq). What the engine committed while the last row was on its
 *       way goes out as the next one ({@link io.polytable.store.fluss.RowSender}).
 *   <li>Whoever opens the log waits the last owner's lease out, and <em>claims</em> the next epoch: a row that must land
 *       at exactly the offset read before. It then reads the last owner's rows up to its claim, and <em>confirms</em>
 *       with a row that names the whole chain: which rows of which owners are the log ({@link
 *       io.polytable.store.fluss.Claim}).
 *   <li>A write counts only if the offset returned is the expected one, or if nobody is seen to have claimed the log
 *       before it. So an owner that was overtaken can write rows and never acknowledge one. It stops, and whatever it
 *       left behind the next claim's offset is not in the chain.
 *   <li>A write that failed or took too long may be there or not. Nobody guesses: the log fails, and whoever opens it
 *       next sees what is there, in the same way as after a crash.
 *   <li>The owner's lease is any acknowledged write, and one now and then when there is none to make. Without it nothing
 *       read from memory goes out, since another may own the log by now ({@link io.polytable.store.fluss.Lease}).
 * </ul>
 *
 * <p>A store may have several logs ({@link io.polytable.store.fluss.FlussStore}). Each is owned, checkpointed and recovered
 * by itself, and all by one process.
 *
 * <p>{@link io.polytable.store.fluss.FlussCluster} is the connection that everything for one store shares.
 */
@NullMarked
package io.polytable.store.fluss;

import org.jspecify.annotations.NullMarked;
