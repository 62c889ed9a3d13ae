/**
 * What OBJECT ENCODING and MEMORY USAGE tell of a value: {@link io.polytable.redis.model.introspection.Encodings} and
 * {@link io.polytable.redis.model.introspection.RowSizes}. Nothing else depends on either.
 */
@NullMarked
package io.polytable.redis.model.introspection;

import org.jspecify.annotations.NullMarked;
