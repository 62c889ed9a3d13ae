/**
 * Lists: a row per element, in the order of their places.
 *
 * <p>{@link io.polytable.redis.model.list.Lists} has every operation. It works on an {@code OpenList}, one list opened for one
 * call, which knows the two shapes of a list ({@link io.polytable.redis.model.list.ListShape}):
 *
 * <ul>
 *   <li><b>Dense</b>: the elements stand at consecutive positions, the first of which is in the header. Pushes, pops and
 *       trims keep it so. An index is an addition, a push is one row and the header, and a trim of any length one range.
 *   <li><b>Sparse</b>: after a removal or an insertion in the middle. Nothing moves: a removed element leaves a gap, an
 *       inserted one gets a place between its neighbours ({@code Places}). A {@code SparseOrder} keeps the counted fences of
 *       {@link io.polytable.redis.model.order} above the elements, so an index costs O(log n) rows. Making a list sparse writes
 *       its fences, a row for each 64 elements, once; up to 128 elements have none.
 * </ul>
 *
 * <p>The exact places of the first and the last element are in the header, so no walk meets the tombstones of what was popped
 * or trimmed. docs/formats/redis-list.md has the bytes. {@code ListCheck} and {@code ListRepair} are this type's part of
 * {@code polytable check} and {@code repair}.
 */
@NullMarked
package io.polytable.redis.model.list;

import org.jspecify.annotations.NullMarked;
