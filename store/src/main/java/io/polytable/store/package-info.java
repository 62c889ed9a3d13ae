/**
 * The embedded store: {@link io.polytable.store.EmbeddedStore} opens one, {@link io.polytable.store.Backup} copies one while
 * it runs.
 *
 * <ul>
 *   <li>{@link io.polytable.store.engine}: one commit log and one ordered state; how a batch becomes visible, durable and
 *       settled.
 *   <li>{@link io.polytable.store.memory}: the rows in memory, and what a scan sees of them.
 *   <li>{@link io.polytable.store.log}: the commit log, and the one in local files.
 *   <li>{@link io.polytable.store.directory}: the data directory.
 *   <li>{@link io.polytable.store.merge}: rows of memory and of the state as one sorted stream.
 *   <li>{@link io.polytable.store.state}: the ordered state in RocksDB.
 *   <li>{@link io.polytable.store.feed}: the change feed, decoded once for all who follow.
 *   <li>{@link io.polytable.store.group}: several engines as one store, each with the tables of its group and a log of its
 *       own. Whoever has one log has one engine, and nothing around it.
 * </ul>
 */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;
