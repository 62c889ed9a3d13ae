/**
 * Sorted sets: a row from member to score, and the {@link io.polytable.redis.model.order} index from score and member to rank.
 *
 * <p>{@link io.polytable.redis.model.zset.SortedSets} has every operation on one set;
 * {@link io.polytable.redis.model.zset.SetAlgebra} unions, intersections and differences. Both work on a
 * {@link io.polytable.redis.model.zset.SortedSet}, which is one set opened for one call and keeps both kinds of rows in step.
 *
 * <p>A range that a client asks for ({@code ElementRange}: by rank, score or member) becomes a run of neighbouring ranks
 * ({@code ElementRuns}), and a cursor of the index walks over it. A set that is stored whole (ZUNIONSTORE) is written by a
 * {@code SortedSetWriter}, which lays its fences out without looking anything up. {@code SortedSetCheck} and
 * {@code SortedSetRepair} are this type's part of {@code polytable check} and {@code repair}.
 */
@NullMarked
package io.polytable.redis.model.zset;

import org.jspecify.annotations.NullMarked;
