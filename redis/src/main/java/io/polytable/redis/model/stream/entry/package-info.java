/**
 * What a stream is made of: the ids of entries, the entries' rows, and the nodes that Redis would keep them in.
 *
 * <p>{@link io.polytable.redis.model.stream.entry.StreamId} orders and parses ids. A
 * {@link io.polytable.redis.model.stream.entry.StreamNode} is a run of entries of which only the borders and counts are known
 * here: approximate trimming removes whole nodes, and a client must see the same ones go as in Redis. How large Redis' node
 * would be is worked out by {@code PackedSize}.
 */
@NullMarked
package io.polytable.redis.model.stream.entry;

import org.jspecify.annotations.NullMarked;
