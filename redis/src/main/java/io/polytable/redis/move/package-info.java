/**
 * Moves the keys of a running Redis here, over its protocol. {@link io.polytable.redis.move.LiveImport} follows it as a
 * replica, or copies key by key where that is not allowed; {@link io.polytable.redis.move.Verification} compares all keys.
 */
@NullMarked
package io.polytable.redis.move;

import org.jspecify.annotations.NullMarked;
