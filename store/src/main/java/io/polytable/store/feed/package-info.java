/**
 * The change feeds of a log, over its tail, which is decoded once for all of them.
 *
 * <pre>
 * log --one reader, one decoder--&gt; tail: decoded commits, bounded --&gt; thousands of feeds
 *                                    |
 *                                    +-- old values, if a feed wants them: a snapshot and what changed since
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.feed.Feeds}: the tail, its feeds, and which of them a commit wakes. A feed is a
 *       position; it costs next to nothing while nothing happens in its tables.
 *   <li>{@link io.polytable.store.feed.TailFeed}: one feed. A feed behind the tail reads the log itself until it has
 *       caught up; a feed with old values cannot, and expires.
 *   <li>{@link io.polytable.store.feed.TrailingRows}: the tables as of just before the commit that is decoded next
 *       (docs/decisions/0014-change-feed.md).
 * </ul>
 */
@NullMarked
package io.polytable.store.feed;

import org.jspecify.annotations.NullMarked;
