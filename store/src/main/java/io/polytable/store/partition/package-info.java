/**
 * Several engines as one store. Tables are spread over partitions; each partition has its own log and state, and can move to
 * another server alone. {@link io.polytable.store.partition.PartitionedStore} routes each call to the engine of the table's
 * partition and takes snapshots across all of them, {@link io.polytable.store.partition.PartitionedFeed} merges their change feeds,
 * and {@link io.polytable.store.partition.PositionVector} is a position in all their logs. docs/decisions/0012-partitions.md
 * says why.
 */
@NullMarked
package io.polytable.store.partition;

import org.jspecify.annotations.NullMarked;
