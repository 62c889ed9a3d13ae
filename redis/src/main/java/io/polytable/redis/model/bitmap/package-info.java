/**
 * Strings as bits. {@link io.polytable.redis.model.bitmap.Bitmaps} has the operations, on strings opened as
 * {@link io.polytable.redis.model.string.OpenString}; {@link io.polytable.redis.model.bitmap.BitField} is an integer
 * of any width inside a string.
 */
@NullMarked
package io.polytable.redis.model.bitmap;

import org.jspecify.annotations.NullMarked;
