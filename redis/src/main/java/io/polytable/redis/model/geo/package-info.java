/**
 * Positions on the globe, kept in sorted sets. {@link io.polytable.redis.model.geo.Geo} searches; {@code GeoHash}
 * turns a position into a score and back; {@code GeoCover} picks the few score ranges that a
 * {@link io.polytable.redis.model.geo.GeoShape} can touch.
 */
@NullMarked
package io.polytable.redis.model.geo;

import org.jspecify.annotations.NullMarked;
