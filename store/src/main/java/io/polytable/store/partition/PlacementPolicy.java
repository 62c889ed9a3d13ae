package io.polytable.store.partition;

import io.polytable.table.TableName;

/** Chooses the partition of a new table. An existing table stays where it was created, even if the policy changes. */
@FunctionalInterface
public interface PlacementPolicy {
    int partitionOf(TableName table);
}
