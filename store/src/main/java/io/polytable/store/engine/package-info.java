/**
 * The storage engine: one commit log, one ordered state. Start at {@link io.polytable.store.engine.Engine}.
 *
 * <pre>
 * command --(reads)--&gt; batch --append--&gt; rows in memory --flush--&gt; commit log ==(durable)==&gt; reply
 *                                             |                        |
 *                                             |                        +--&gt; change feed
 *                                             +--background, sorted--&gt; state (RocksDB, its own log off)
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.engine.Appender}: the commit order. Under its mutex a batch gets its position, is
 *       copied into the arena once and becomes visible; a flush writes everything copied since the last one to the log
 *       at once.
 *   <li>{@link io.polytable.store.engine.Durability}: syncs the log and notifies waiters when their commit is durable.
 *   <li>{@link io.polytable.store.engine.Applier}: writes sealed generations of synced commits into the state, sorted.
 *   <li>{@link io.polytable.store.engine.Warmup}: after a start, reads tables that fit into memory back into it.
 *   <li>{@link io.polytable.store.feed.Feeds}: the change feeds, over one decoded tail of the log.
 *   <li>{@link io.polytable.store.engine.Catalog}: the tables; its changes are rows in the log like all others.
 *   <li>{@link io.polytable.store.engine.Engine}: wires them together, and recovers by replaying the log onto the
 *       state.
 * </ul>
 *
 * <p>Invariants: the state is never ahead of the synced log; a reply is never ahead of the log; a row is not evicted
 * from memory before the state has it; no generation becomes visible in the state while a cursor that began before it
 * is still opening.
 */
@NullMarked
package io.polytable.store.engine;

import org.jspecify.annotations.NullMarked;
