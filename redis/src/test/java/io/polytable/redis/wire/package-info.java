/** Bytes in and bytes out, in memory and over real sockets. */
@NullMarked
package io.polytable.redis.wire;

import org.jspecify.annotations.NullMarked;
