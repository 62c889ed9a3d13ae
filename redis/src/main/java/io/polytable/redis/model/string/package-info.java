/**
 * Strings. {@link io.polytable.redis.model.string.Strings} has every operation; the value is in the key's own row, so
 * each is one read and at most one put. {@link io.polytable.redis.model.string.OpenString} reads and changes parts; a
 * long string that is changed in parts moves into segments of 4 KiB (docs/formats/redis-string.md).
 * {@link io.polytable.redis.model.string.CommonSubsequence} is LCS.
 */
@NullMarked
package io.polytable.redis.model.string;

import org.jspecify.annotations.NullMarked;
