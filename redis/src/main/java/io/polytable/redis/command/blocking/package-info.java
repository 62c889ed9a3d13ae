/**
 * Calls that wait for keys to hold something (BZPOPMIN and its like) or for time to pass (WAIT).
 *
 * <p>A body that finds nothing answers a reply with a {@link io.polytable.redis.command.Waiter}. The waiter enters
 * {@link io.polytable.redis.command.blocking.Waiting} while the dispatcher still holds the stripes of its keys, so no write can
 * fall in between. A later commit that fills one of the keys wakes it, and its event loop runs the call again.
 */
@NullMarked
package io.polytable.redis.command.blocking;

import org.jspecify.annotations.NullMarked;
