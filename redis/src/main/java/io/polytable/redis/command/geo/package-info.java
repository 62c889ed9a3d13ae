/**
 * The geo family: {@link io.polytable.redis.command.geo.GeoCommands} adds and reads positions,
 * {@code GeoSearchCommands} searches them, with the arguments that {@code GeoSearchOptions} parses.
 */
@NullMarked
package io.polytable.redis.command.geo;

import org.jspecify.annotations.NullMarked;
