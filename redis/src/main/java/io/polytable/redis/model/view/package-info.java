/**
 * What Redis clients wrote, as readable tables: only live rows, no headers, one row an element.
 *
 * <p>{@link io.polytable.redis.model.view.RedisViews} are the tables that SQL and exports read; they are computed when read
 * ({@code LiveKeys}, {@code LiveElements}). {@link io.polytable.redis.model.view.RedisProjection} keeps the same tables up to date
 * in another system: it follows the change feed in windows, {@code ProjectionWindow} finds the rows that a window's changes
 * touch, and {@code ShownRows} writes them as the reader shall see them. An element's row knows only its collection's id;
 * {@code CollectionOwners} remembers which key that belongs to.
 */
@NullMarked
package io.polytable.redis.model.view;

import org.jspecify.annotations.NullMarked;
