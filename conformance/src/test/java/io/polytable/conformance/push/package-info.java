/**
 * Unrequested messages, compared with the reference: pub/sub messages, keyspace notifications, invalidations.
 *
 * <p>A {@link io.polytable.conformance.push.Party} is several connections to one server. After each command, every one
 * of them sends a PING with a unique token; whatever arrives before the token's echo was unrequested. Replies and
 * pushes of one connection are compared separately, each in order: Redis 7.0, which may be the reference, sends the
 * pushes that a command causes for its own client before the reply, 7.2 and we after it.
 */
@NullMarked
package io.polytable.conformance.push;

import org.jspecify.annotations.NullMarked;
