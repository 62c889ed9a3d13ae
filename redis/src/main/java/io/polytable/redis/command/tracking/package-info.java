/**
 * Client-side caching (CLIENT TRACKING): the server remembers which client may have cached which key, and sends an
 * invalidation when the key changes.
 *
 * <p>{@link io.polytable.redis.command.tracking.Tracking} listens to the changes of the key space while a client
 * tracks. {@code ReaderTable} remembers which clients read which keys, up to {@code tracking-table-max-keys};
 * {@code Broadcasts} collects the changed keys of tracked prefixes until the end of an event loop's turn.
 * {@code Invalidations} builds and addresses the messages.
 */
@NullMarked
package io.polytable.redis.command.tracking;

import org.jspecify.annotations.NullMarked;
