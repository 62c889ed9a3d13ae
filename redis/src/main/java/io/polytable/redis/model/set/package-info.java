/**
 * Sets: one row per member, and the number of members in the header.
 *
 * <p>{@link io.polytable.redis.model.set.Sets} adds, removes, moves and looks up members; a member is one row without
 * a value, and the header is written only when the number of members changes.
 * {@link io.polytable.redis.model.set.SetForm} has the order of small sets.
 * {@link io.polytable.redis.model.set.SetOperands} has unions, intersections and differences.
 * {@link io.polytable.redis.model.set.RandomMembers} picks and pops members by seeks into the hash order of the rows.
 */
@NullMarked
package io.polytable.redis.model.set;

import org.jspecify.annotations.NullMarked;
