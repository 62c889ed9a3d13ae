/**
 * The engine behind the contract: one commit log, one ordered state.
 *
 * <pre>
 * command --(reads)--&gt; batch --append--&gt; rows in memory --flush--&gt; commit log ==(durable)==&gt; reply
 *                                             |                        |
 *                                             |                        +--&gt; change feed
 *                                             +--background, sorted--&gt; state (RocksDB, its own log off)
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.Appender}: the one order. Under its mutex a batch gets its position, is copied into the
 *       arena once and shown to readers; a flush hands what was copied since the last one to the log in one write.
 *   <li>{@link io.polytable.store.Durability}: tells who waits when the log has it, and syncs.
 *   <li>{@link io.polytable.store.Applier}: moves sealed generations of synced commits into the state, sorted.
 *   <li>{@link io.polytable.store.Warmup}: after a start, reads what fits into memory back into it.
 *   <li>{@link io.polytable.store.feed.Feeds}: the change feed, decoded once for all who follow.
 *   <li>{@link io.polytable.store.Catalog}: which tables there are; its changes are rows in the log like all others.
 *   <li>{@link io.polytable.store.Engine}: puts them together, recovers by replaying the log onto the state.
 *   <li>{@link io.polytable.store.GroupedStore}: several engines as one store, each with the tables of its group and a log
 *       of its own (docs/decisions/0012-groups.md). Whoever has one log has one engine, and nothing around it.
 * </ul>
 *
 * <p>What must never happen: the state ahead of the synced log; a reply ahead of the log; a row evicted from memory
 * before the state has it; a generation visible in the state while a cursor that began before it still opens.
 */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;
