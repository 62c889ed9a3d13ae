/**
 * The order of push messages. {@link io.polytable.redis.command.push.PushDispatcher} is the one place that appends to the queues of
 * event loops, so that all sessions receive messages in the same order.
 */
@NullMarked
package io.polytable.redis.command.push;

import org.jspecify.annotations.NullMarked;
