/**
 * The network side: decodes requests and encodes replies; the only package that uses Netty.
 *
 * <p>{@link io.polytable.redis.wire.RedisServer} listens. Each {@code Connection} decodes its requests
 * ({@link io.polytable.redis.wire.request}) and runs them in the dispatcher of its event loop; {@code ReplyWriter}
 * encodes the replies into the connection's {@code Output}. At the end of the loop's {@code Turn} one flush of the log
 * makes all its commits durable, and the replies leave. Push messages come through {@code LoopPushQueue}, long commands
 * run on {@code LongCommands}.
 */
@NullMarked
package io.polytable.redis.wire;

import org.jspecify.annotations.NullMarked;
