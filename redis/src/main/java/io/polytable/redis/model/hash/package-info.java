/**
 * Hashes: one row per field, and the number of fields in the header.
 *
 * <p>{@link io.polytable.redis.model.hash.Hashes} has every operation. Changing a field writes one row; the header is
 * written only when the number of fields changes. A small hash keeps the order of its fields there. {@link io.polytable.redis.model.hash.RandomFields} picks fields for
 * HRANDFIELD by seeks into the hash order of the rows.
 */
@NullMarked
package io.polytable.redis.model.hash;

import org.jspecify.annotations.NullMarked;
