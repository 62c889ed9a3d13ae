/**
 * Several engines as one store. Tables are spread over groups; each group has its own log and state, and can move to
 * another server alone. {@link io.polytable.store.group.GroupedStore} routes each call to the engine of the table's
 * group and takes snapshots across all of them, {@link io.polytable.store.group.GroupedFeed} merges their change feeds,
 * and {@link io.polytable.store.group.PositionVector} is a position in all their logs. docs/decisions/0012-groups.md
 * says why.
 */
@NullMarked
package io.polytable.store.group;

import org.jspecify.annotations.NullMarked;
