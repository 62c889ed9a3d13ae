/** Bytes to calls, replies to bytes; the only room with Netty. */
@NullMarked
package io.polytable.redis.wire;

import org.jspecify.annotations.NullMarked;
