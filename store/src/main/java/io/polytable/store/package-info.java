/**
 * The embedded store: {@link io.polytable.store.EmbeddedStore} opens one, {@link io.polytable.store.Backup} copies one
 * while it runs. A write goes through the engine into memory and the log, and later from memory into the state; a read
 * looks into memory first, then into the state.
 *
 * <ul>
 *   <li>{@link io.polytable.store.engine}: one commit log and one ordered state; how a batch becomes visible, durable
 *       and applied.
 *   <li>{@link io.polytable.store.memory}: memtables and row cache.
 *   <li>{@link io.polytable.store.log}: the commit log's contract; its implementation in local files.
 *   <li>{@link io.polytable.store.directory}: the data directory.
 *   <li>{@link io.polytable.store.backup}: the files of a backup, with their checksums.
 *   <li>{@link io.polytable.store.merge}: merges sorted rows of memory and state.
 *   <li>{@link io.polytable.store.state}: the ordered state in RocksDB.
 *   <li>{@link io.polytable.store.feed}: the change feeds, which share one decoded tail of the log.
 *   <li>{@link io.polytable.store.partition}: several engines as one store, each with its own tables and log. A store with
 *       one log is a plain engine.
 * </ul>
 */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;
