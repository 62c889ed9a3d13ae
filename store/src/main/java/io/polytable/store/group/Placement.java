package io.polytable.store.group;

import io.polytable.table.TableName;

/** Says in which group a new table is kept. A table stays where it was created, whatever is said later. */
@FunctionalInterface
public interface Placement {
    int groupOf(TableName table);
}
