/**
 * Readable tables of what Redis clients wrote: only live rows, no headers, one row per element.
 *
 * <p>{@link io.polytable.redis.model.view.RedisViews} are the tables that SQL and exports read; they are computed
 * when read ({@code LiveKeys}, {@code LiveElements}). {@link io.polytable.redis.model.view.RedisProjection} is
 * what a follower of them needs: {@code ProjectionWindow} finds the rows that changes touch. An element's row has only its
 * collection's id; {@code CollectionOwners} maps it to the key.
 */
@NullMarked
package io.polytable.redis.model.view;

import org.jspecify.annotations.NullMarked;
