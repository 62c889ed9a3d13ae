/**
 * What servers say unasked, ours beside the reference: messages, keyspace notifications, invalidations.
 *
 * <p>A {@link io.polytable.conformance.push.Party} is several connections to one server. After each command, every one of them
 * sends a PING with a token of its own; whatever comes before the token's echo was said unasked. Replies and pushes of one
 * connection are compared each in their own order: Redis 7.0, which may be the reference, still puts the pushes that a
 * command makes its own client hear before the reply, 7.2 and we behind it.
 */
@NullMarked
package io.polytable.conformance.push;

import org.jspecify.annotations.NullMarked;
