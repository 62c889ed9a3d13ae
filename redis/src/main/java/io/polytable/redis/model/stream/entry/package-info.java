/**
 * The parts of a stream: the ids of entries, the entries' rows, and the nodes in which Redis would keep them.
 *
 * <p>{@link io.polytable.redis.model.stream.entry.StreamId} orders and parses ids,
 * {@link io.polytable.redis.model.stream.entry.StreamEntry} encodes an entry's row. A
 * {@link io.polytable.redis.model.stream.entry.StreamNode} is a run of entries of which only the borders and counts
 * are known here: approximate trimming removes whole nodes, and clients must see the same ones removed as in Redis.
 * {@code PackedSize} computes the size of Redis' node.
 */
@NullMarked
package io.polytable.redis.model.stream.entry;

import org.jspecify.annotations.NullMarked;
