/**
 * A counted, ordered index over the elements of a collection: the rank of an element and the element at a rank in
 * O(log n) row reads. Sorted sets order by score, lists by position.
 *
 * <p>{@link io.polytable.redis.model.order.OrderIndex} is the entry point. It keeps one row per element
 * ({@code OrderRows}, keyed by {@link io.polytable.redis.model.order.SortKeys}: eight bytes that sort as the score
 * does, then the member) and, above them, counted fences ({@code Fences}). A fence of level one counts the elements up
 * to the next fence of its level, a fence of level two the elements that its fences of level one cover, and so on.
 * docs/formats/redis-zset.md has the bytes.
 *
 * <p>A change descends a {@code FencePath} from the highest level to the elements, adjusts the counts on the way, and
 * splits or merges fences that grew too large or too small ({@code FenceLimits}). Recently used fences stay in memory
 * as {@code FenceTree}s in the {@code FenceCache}; a small set, or a stretch of a larger one, stays whole as a
 * {@code SmallOrder}. Both are only a cache of the rows, and a rolled-back unit invalidates them.
 *
 * <p>The index is written through a {@code WriteSet} and knows nothing of key spaces, so that key spaces can own its
 * cache.
 */
@NullMarked
package io.polytable.redis.model.order;

import org.jspecify.annotations.NullMarked;
