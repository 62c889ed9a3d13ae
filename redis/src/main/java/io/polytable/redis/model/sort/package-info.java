/**
 * SORT: {@link io.polytable.redis.model.sort.Sorting} orders the elements of a list, set or sorted set by themselves or
 * by values of other keys, which a {@link io.polytable.redis.model.sort.SortPattern} names.
 */
@NullMarked
package io.polytable.redis.model.sort;

import org.jspecify.annotations.NullMarked;
