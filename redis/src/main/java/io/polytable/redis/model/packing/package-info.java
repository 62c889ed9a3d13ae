/**
 * Redis' packed forms of small collections: when it packs ({@link io.polytable.redis.model.packing.PackingLimits}),
 * and the bytes ({@link io.polytable.redis.model.packing.Listpack}, {@link io.polytable.redis.model.packing.IntSet},
 * and the formats of older versions). Nothing is stored here that way; clients see it in OBJECT ENCODING, DUMP and
 * RESTORE.
 */
@NullMarked
package io.polytable.redis.model.packing;

import org.jspecify.annotations.NullMarked;
