/**
 * An ordered index over the elements of a collection that also counts: rank of an element, element at a rank, both
 * in O(log n) row reads, on sets of any size. Sorted sets keep their score order in it.
 *
 * <p>{@link io.polytable.redis.model.order.OrderIndex} is the way in. It keeps a row an element ({@code OrderRows}, keyed by
 * {@link io.polytable.redis.model.order.SortKeys}: eight bytes that sort as the score does, then the member) and, above
 * them, counted fences ({@code Fences}): a fence says how many elements follow up to the next
 * fence of its level, a fence of level two how many elements its fences of level one cover, and so on. docs/formats/redis-zset.md
 * has the bytes.
 *
 * <p>A change goes down a {@code FencePath} from the highest level to the elements, adds one to the counts on the way and
 * splits or merges what grew too large or too small ({@code FenceLimits}). The fences used lately stay in memory as
 * {@code FenceTree}s in the {@code FenceCache}; a small set, or a stretch of a larger one, stays whole as a
 * {@code SmallOrder}. Both are only a cache of the rows: a unit that is rolled back invalidates them.
 *
 * <p>The index is written through a {@code WriteSet} and knows nothing of key spaces, so that key spaces can own its cache.
 */
@NullMarked
package io.polytable.redis.model.order;

import org.jspecify.annotations.NullMarked;
