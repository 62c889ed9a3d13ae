/**
 * Several engines that look like one store. Tables are spread over groups; each group has a log and a state of its own,
 * and may move to another server alone. A {@link io.polytable.store.group.GroupedStore} sends each row to the engine of
 * its group, takes one snapshot over all of them, and names a moment by a {@link io.polytable.store.group.PositionVector}.
 * docs/decisions/0012-groups.md says why.
 */
@NullMarked
package io.polytable.store.group;

import org.jspecify.annotations.NullMarked;
