/**
 * The Redis frontend of a store: {@link io.polytable.redis.RedisFrontend} puts it together from wire, command and model.
 */
@NullMarked
package io.polytable.redis;

import org.jspecify.annotations.NullMarked;
