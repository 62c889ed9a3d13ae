/**
 * Lists: one row per element, in the order of their places.
 *
 * <p>{@link io.polytable.redis.model.list.Lists} has every operation. It works on an {@code OpenList}, one list
 * opened for one call, which knows the two shapes of a list ({@link io.polytable.redis.model.list.ListShape}):
 *
 * <ul>
 *   <li><b>Dense</b>: the elements have consecutive positions, the first of which is in the header. Pushes, pops and
 *       trims keep it so. An index is an addition, a push writes one row and the header, and a trim of any length is
 *       one range delete.
 *   <li><b>Sparse</b>: after a removal or an insertion in the middle. Nothing moves: a removed element leaves a gap,
 *       an inserted one gets a fractional index between its neighbours ({@code ListSortKeys}). A {@code SparseOrder}
 *       keeps the counted fences of {@link io.polytable.redis.model.order} above the elements, so an index costs
 *       O(log n) rows. Making a list sparse writes its fences once, one row per 64 elements; up to 128 elements have
 *       none.
 * </ul>
 *
 * <p>The places of the first and the last element are in the header, so no walk meets the tombstones of popped or
 * trimmed elements. docs/formats/redis-list.md has the bytes. {@code ListCheck} and {@code ListRepair} are this
 * type's part of {@code polytable check} and {@code repair}.
 */
@NullMarked
package io.polytable.redis.model.list;

import org.jspecify.annotations.NullMarked;
