/**
 * Client-side caching (CLIENT TRACKING): the server remembers which client may have cached which key, and tells it when the key
 * changes.
 *
 * <p>{@link io.polytable.redis.command.tracking.Tracking} listens to the changes of the key space while a client tracks.
 * {@code ReaderTable} remembers who read what, up to {@code tracking-table-max-keys}; {@code Broadcasts} collects the changed keys
 * of the prefixes that clients asked for, to be told at the end of an event loop's turn. {@code Invalidations} writes and
 * addresses the messages.
 */
@NullMarked
package io.polytable.redis.command.tracking;

import org.jspecify.annotations.NullMarked;
