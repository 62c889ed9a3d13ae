/** Tests of the way from bytes to requests. */
@NullMarked
package io.polytable.redis.wire.request;

import org.jspecify.annotations.NullMarked;
