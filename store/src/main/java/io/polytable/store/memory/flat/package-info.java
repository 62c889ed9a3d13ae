/**
 * Collections backed by arrays of primitives, without an object per element: the indexes and sorted runs of the rows in
 * memory may have millions of entries, which must burden neither the garbage collector nor the memory budget. Each
 * reports its size in bytes and says which methods may run concurrently with a writer.
 *
 * <p>{@link io.polytable.store.memory.flat.PartitionMap} leads from a partition to its newest row, {@link
 * io.polytable.store.memory.flat.Run} holds sorted rows, and {@link io.polytable.store.memory.flat.WholeTables} knows
 * for which tables a miss in memory is final.
 */
@NullMarked
package io.polytable.store.memory.flat;

import org.jspecify.annotations.NullMarked;
