/**
 * Positions on the globe, kept in sorted sets. {@link io.polytable.redis.model.geo.Geo} searches;
 * {@link io.polytable.redis.model.geo.GeoHash} turns a position into a score and back; {@code GeoCover} picks the few ranges of
 * scores that a {@link io.polytable.redis.model.geo.GeoShape} can touch.
 */
@NullMarked
package io.polytable.redis.model.geo;

import org.jspecify.annotations.NullMarked;
