/**
 * Readable tables of what Redis clients wrote: only live rows, no headers, one row per element.
 *
 * <p>{@link io.polytable.redis.model.view.RedisViews} are the tables that SQL and exports read; they are computed
 * when read ({@code LiveKeys}, {@code LiveElements}). {@link io.polytable.redis.model.view.RedisProjection} keeps the
 * same tables up to date in another system: it follows the change feed in windows, {@code ProjectionWindow} finds the
 * rows that a window's changes touch, and {@code ShownRows} builds them. An element's row has only its collection's
 * id; {@code CollectionOwners} maps it to the key.
 */
@NullMarked
package io.polytable.redis.model.view;

import org.jspecify.annotations.NullMarked;
