/**
 * The order of push messages. {@link io.polytable.redis.command.push.PushDispatcher} is the only place that appends to
 * the queues of event loops, so all sessions receive messages in the same order.
 */
@NullMarked
package io.polytable.redis.command.push;

import org.jspecify.annotations.NullMarked;
