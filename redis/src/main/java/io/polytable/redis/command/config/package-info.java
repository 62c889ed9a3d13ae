/**
 * CONFIG. {@link io.polytable.redis.command.config.Settings} holds every
 * {@link io.polytable.redis.command.config.ConfigParameter}: those with a method are obeyed, the fixed ones tell tools how this
 * server behaves. {@link io.polytable.redis.command.config.ConfigCommands} checks all values of a CONFIG SET before it changes
 * the first.
 */
@NullMarked
package io.polytable.redis.command.config;

import org.jspecify.annotations.NullMarked;
