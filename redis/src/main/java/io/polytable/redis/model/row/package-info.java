/**
 * The rows of the Redis frontend: their keys, their values, and their order.
 *
 * <p>{@link io.polytable.redis.model.row.Header} is the row of a key: a string's value, or the id, size and deadline
 * of a collection. {@link io.polytable.redis.model.row.Elements} reads and writes the rows of one
 * {@link io.polytable.redis.model.row.ElementKind} of one collection. {@link io.polytable.redis.model.row.Layout}
 * builds every key; docs/formats/redis.md shows the bytes. A command reads the header, then the elements under its id.
 *
 * <p>Keys, hash fields and members are sorted by a hash of their bytes ({@code KeyedHash}), not by the bytes. A SCAN
 * cursor is then a number that stays valid across restarts and writes, and a seek to a random hash finds a random
 * element ({@code HashRing}). A deleted collection leaves a {@code Garbage} row, by which the sweeper finds and
 * deletes its elements.
 *
 * <p>This package does not know databases, units of work or the semantics of types.
 */
@NullMarked
package io.polytable.redis.model.row;

import org.jspecify.annotations.NullMarked;
