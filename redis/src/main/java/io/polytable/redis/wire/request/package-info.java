/**
 * Decoding requests: {@link io.polytable.redis.wire.request.RequestDecoder} splits the input into RESP arrays and
 * inline commands ({@code InlineWords}), within the {@link io.polytable.redis.wire.request.InputLimits} of the
 * connection.
 */
@NullMarked
package io.polytable.redis.wire.request;

import org.jspecify.annotations.NullMarked;
