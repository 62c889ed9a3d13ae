/**
 * Strings. {@link io.polytable.redis.model.string.Strings} has every operation; the value stands in the key's own row, so each
 * is one read and at most one put. A long one that is changed in parts is in segments of 4 KiB
 * ({@link io.polytable.redis.model.string.OpenString}; docs/formats/redis-string.md). {@link io.polytable.redis.model.string.CommonSubsequence} is LCS.
 */
@NullMarked
package io.polytable.redis.model.string;

import org.jspecify.annotations.NullMarked;
