/**
 * The change feed: {@link io.polytable.table.feed.ChangeFeed} tells each committed
 * {@link io.polytable.table.feed.Change} in commit order, gap-free from a {@link io.polytable.table.feed.Position}.
 */
@NullMarked
package io.polytable.table.feed;

import org.jspecify.annotations.NullMarked;
