/**
 * CONFIG. {@link io.polytable.redis.command.config.RedisConfig} holds every
 * {@link io.polytable.redis.command.config.ConfigParameter}: those with a method have an effect, the fixed ones
 * describe the server to tools. {@link io.polytable.redis.command.config.ConfigCommands} validates all values of a
 * CONFIG SET before it changes the first.
 */
@NullMarked
package io.polytable.redis.command.config;

import org.jspecify.annotations.NullMarked;
