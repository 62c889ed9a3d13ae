package io.polytable.store.group;

import io.polytable.table.TableName;

/** Chooses the group of a new table. An existing table stays where it was created, even if the policy changes. */
@FunctionalInterface
public interface PlacementPolicy {
    int groupOf(TableName table);
}
