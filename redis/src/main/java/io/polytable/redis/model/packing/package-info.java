/**
 * How Redis packs small collections: when it does ({@link io.polytable.redis.model.packing.PackingLimits}), and the bytes
 * that it packs them into ({@link io.polytable.redis.model.packing.Listpack},
 * {@link io.polytable.redis.model.packing.IntSet}, and what older versions wrote). Nothing here is stored that way; clients see
 * it in OBJECT ENCODING and in what DUMP answers and RESTORE takes.
 */
@NullMarked
package io.polytable.redis.model.packing;

import org.jspecify.annotations.NullMarked;
