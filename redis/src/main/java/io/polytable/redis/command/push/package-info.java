/**
 * The order of what is told unasked. {@link io.polytable.redis.command.push.PostOffice} is the one place that posts into the
 * mailboxes of event loops, so that all sessions hear of everything in the same order.
 */
@NullMarked
package io.polytable.redis.command.push;

import org.jspecify.annotations.NullMarked;
