/**
 * The engine behind the contract: one commit log, one ordered state. Start at {@link io.polytable.store.engine.Engine}.
 *
 * <pre>
 * command --(reads)--&gt; batch --append--&gt; rows in memory --flush--&gt; commit log ==(durable)==&gt; reply
 *                                             |                        |
 *                                             |                        +--&gt; change feed
 *                                             +--background, sorted--&gt; state (RocksDB, its own log off)
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.engine.Appender}: the one order. Under its mutex a batch gets its position, is copied into the
 *       arena once and shown to readers; a flush hands what was copied since the last one to the log in one write.
 *   <li>{@link io.polytable.store.engine.Durability}: tells who waits when the log has it, and syncs.
 *   <li>{@link io.polytable.store.engine.Applier}: moves sealed generations of synced commits into the state, sorted.
 *   <li>{@link io.polytable.store.engine.Warmup}: after a start, reads what fits into memory back into it.
 *   <li>{@link io.polytable.store.feed.Feeds}: the change feed, decoded once for all who follow.
 *   <li>{@link io.polytable.store.engine.Catalog}: which tables there are; its changes are rows in the log like all others.
 *   <li>{@link io.polytable.store.engine.Engine}: puts them together, recovers by replaying the log onto the state.
 * </ul>
 *
 * <p>What must never happen: the state ahead of the synced log; a reply ahead of the log; a row evicted from memory
 * before the state has it; a generation visible in the state while a cursor that began before it still opens.
 */
@NullMarked
package io.polytable.store.engine;

import org.jspecify.annotations.NullMarked;
