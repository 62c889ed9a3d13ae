/**
 * Streams and their consumer groups.
 *
 * <p>{@link io.polytable.redis.model.stream.Streams} adds, reads, deletes and trims entries, each a row under its
 * {@link io.polytable.redis.model.stream.entry.StreamId}. A command works on an {@code OpenStream}: it writes rows at
 * once and the header when it is saved, so that XADD writes two rows at any length. The header has the first entry's
 * id, and every scan starts there: tombstones of trimmed entries cost readers nothing.
 *
 * <p>{@link io.polytable.redis.model.stream.Groups} has the groups, consumers and pending entries;
 * {@link io.polytable.redis.model.stream.GroupReads} delivers entries, {@link io.polytable.redis.model.stream.Claims}
 * moves them from one consumer to another. All three work on an {@code OpenGroup}. A pending entry has two rows: by
 * id, with its owner and deliveries, and by owner.
 *
 * <p>{@code StreamNode} follows the nodes in which Redis would keep the entries. Clients see their borders:
 * approximate trimming removes whole nodes only.
 */
@NullMarked
package io.polytable.redis.model.stream;

import org.jspecify.annotations.NullMarked;
