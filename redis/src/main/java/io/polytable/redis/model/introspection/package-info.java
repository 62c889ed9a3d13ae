/**
 * OBJECT ENCODING and MEMORY USAGE: {@link io.polytable.redis.model.introspection.Encodings} derives a value's
 * encoding, {@link io.polytable.redis.model.introspection.RowSizes} its size. The dump package uses the encodings.
 */
@NullMarked
package io.polytable.redis.model.introspection;

import org.jspecify.annotations.NullMarked;
