/**
 * The geo family: {@link io.polytable.redis.command.geo.GeoCommands} has positions, {@code GeoSearchCommands} the searches, whose
 * words {@code SearchWords} reads.
 */
@NullMarked
package io.polytable.redis.command.geo;

import org.jspecify.annotations.NullMarked;
