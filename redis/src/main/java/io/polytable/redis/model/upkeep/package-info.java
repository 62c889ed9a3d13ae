/**
 * Background work on a key space, and its check and repair.
 *
 * <p>{@link io.polytable.redis.model.upkeep.Housekeeping} is one thread that ticks: the {@code Expirer} removes keys
 * past their deadline in deadline order, the {@code Sweeper} the elements of removed collections in the order of
 * their garbage rows, the {@code Dropper} the keys of flushed databases. Each tick does a bounded amount of each.
 * Readers hide all of these rows without it; it only reclaims the space. A damaged row is logged once
 * ({@code DamagedRows}) and passed, so that it stops none of the others.
 *
 * <p>{@link io.polytable.redis.model.upkeep.RedisIntegrity} verifies that headers, elements, indexes, deadlines and garbage
 * are consistent, reports {@code Finding}s, and on request rewrites what can be derived from the rows that are still right.
 * Each type's package has its own check and repair, which {@code CollectionCheck} and {@code CollectionRepair} call.
 */
@NullMarked
package io.polytable.redis.model.upkeep;

import org.jspecify.annotations.NullMarked;
