/**
 * The bitmap family: {@link io.polytable.redis.command.bitmap.BitmapCommands}; {@code BitFieldSteps} parses the steps
 * of BITFIELD.
 */
@NullMarked
package io.polytable.redis.command.bitmap;

import org.jspecify.annotations.NullMarked;
