/**
 * Rows in memory: what was committed and is not in the state yet (fresh), and what was read or written lately (hot).
 *
 * <p>Both live in one {@link io.polytable.store.memory.Arena} of large byte arrays, in the order they came. A commit's
 * record is copied there once; that copy is what the log writes, what reads answer from, what the applier sorts and
 * writes to the state. A row read from the state is copied behind as well. So the cache needs no object a row, no list, no
 * collector's care. {@link io.polytable.store.memory.Eviction} lets chunks go whose rows are in the state: if what is
 * alive fits into the budget, it is moved out of them first; if not, the oldest chunk goes with all that is in it.
 *
 * <p>Of a table that was empty when it was opened, or was read as a whole, memory has every row until the first has to
 * go ({@link io.polytable.store.memory.WholeTables}). So long, a key that is not found here has no row, and RocksDB need
 * not look into each of its files to say so.
 *
 * <p>{@link io.polytable.store.memory.RowIndex} finds the newest row of a key in the arena: pages of longs, open
 * addressing, one writer at a time (under the engine's append mutex), readers without a lock.
 *
 * <p>A {@link io.polytable.store.memory.Generation} is a stretch of commits that is applied to the state as one. It
 * lists the places of its rows in order of commit, and chains those of each partition, so that a scan inside a partition
 * finds its fresh rows without looking at others ({@link io.polytable.store.memory.PartitionRows}). A scan of a whole
 * table looks at all generations as of a {@link io.polytable.store.memory.Moment}: so many rows of the one that grows.
 * Rows are sorted only when somebody scans, off the append mutex, and then kept as sorted runs of growing size that later
 * scans share ({@link io.polytable.store.memory.TableRuns}): who never scans never pays.
 *
 * <p>Everything but the lists' tails is immutable, hence a cursor sees what it saw when it was opened.
 */
@NullMarked
package io.polytable.store.memory;

import org.jspecify.annotations.NullMarked;
