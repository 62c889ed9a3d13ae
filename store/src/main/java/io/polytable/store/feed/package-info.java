/**
 * The change feed: the log's tail, decoded once for all who follow.
 *
 * <pre>
 * log --one reader, one decoder--&gt; tail: decoded commits, bounded --&gt; thousands of feeds
 *                                    |
 *                                    +-- old values, if somebody asks: a snapshot and what changed since
 * </pre>
 *
 * <ul>
 *   <li>{@link io.polytable.store.feed.Feeds}: the tail, who follows it, and who is woken by what. A feed is a position;
 *       it costs next to nothing while nothing happens in its tables.
 *   <li>{@link io.polytable.store.feed.TailFeed}: one follower. One that is behind the tail reads the log by itself until
 *       it has caught up; with old values it cannot, and expires.
 *   <li>{@link io.polytable.store.feed.TrailingRows}: the tables as they were before the commit that is decoded next
 *       (docs/decisions/0014-change-feed.md).
 * </ul>
 */
@NullMarked
package io.polytable.store.feed;

import org.jspecify.annotations.NullMarked;
