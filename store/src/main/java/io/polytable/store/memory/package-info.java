/**
 * Memtables and row cache: rows that were committed and are not in the state yet (fresh), and rows that were read or
 * written lately (hot).
 *
 * <p>Both live in one {@link io.polytable.store.memory.Arena} of large byte arrays, in arrival order. A commit's record
 * is copied there once; the log writes that copy, reads answer from it, and the applier sorts it and writes it to the
 * state. Rows read from the state are appended too. So the cache needs no object and no list entry per row, and costs
 * the garbage collector nothing. {@link io.polytable.store.memory.Eviction} frees chunks whose rows are in the state:
 * if the live rows fit into the budget it moves them out first, otherwise the oldest chunk goes with all its rows.
 *
 * <p>A table that was empty when opened, or was read completely, is whole in memory until its first row is evicted
 * ({@link io.polytable.store.memory.flat.WholeTables}). For such a table a miss in memory is final, and RocksDB need
 * not check each of its files.
 *
 * <p>{@link io.polytable.store.memory.RowMemory} is the facade. {@link io.polytable.store.memory.RowIndex} finds the
 * newest row of a key in the arena: pages of longs with open addressing, a single writer (under the engine's append
 * mutex), lock-free readers.
 *
 * <p>A {@link io.polytable.store.memory.Generation} is a memtable, a range of commits that is applied to the state as
 * one. It lists its rows in commit order and chains those of each partition, so a scan within a partition finds its
 * fresh rows without visiting others ({@link io.polytable.store.memory.PartitionRows}). A scan of a whole table reads a
 * {@link io.polytable.store.memory.MemorySnapshot}: the sealed generations and a prefix of the growing one. Rows are
 * sorted only when a scan needs them, outside the append mutex, and kept as sorted runs that later scans share ({@link
 * io.polytable.store.memory.TableRuns}); a store without scans never pays for sorting.
 *
 * <p>Everything except the tails of the lists is immutable, hence a cursor keeps seeing what it saw when it was opened.
 */
@NullMarked
package io.polytable.store.memory;

import org.jspecify.annotations.NullMarked;
