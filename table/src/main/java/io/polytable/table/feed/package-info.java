/**
 * What happened to a store: the {@link io.polytable.table.feed.Change}s of its commits in their order
 * ({@link io.polytable.table.feed.ChangeFeed}), and the rows of a range that changed between two snapshots
 * ({@link io.polytable.table.feed.RangeChanges}).
 */
@NullMarked
package io.polytable.table.feed;

import org.jspecify.annotations.NullMarked;
