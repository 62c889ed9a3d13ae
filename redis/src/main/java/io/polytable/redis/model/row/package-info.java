/**
 * The rows of the face: their keys, their values, and the order they lie in.
 *
 * <p>{@link io.polytable.redis.model.row.Header} is the row of a key: a string's value, or the id, size and deadline of a
 * collection. {@link io.polytable.redis.model.row.Elements} reads and writes the rows of one
 * {@link io.polytable.redis.model.row.ElementKind} of one collection. {@link io.polytable.redis.model.row.Layout} builds every
 * key; docs/formats/redis.md shows the bytes.
 *
 * <p>Keys, hash fields and members lie in the order of a hash of their bytes ({@code Scatter}), not of the bytes. A SCAN
 * cursor is then a number that stays valid across restarts and writes, and a seek to a random hash finds a random element
 * ({@code Ring}). A collection that is deleted leaves a {@code Garbage} row, by which its elements are found and removed.
 *
 * <p>Nothing here knows databases, units of work or types' semantics.
 */
@NullMarked
package io.polytable.redis.model.row;

import org.jspecify.annotations.NullMarked;
