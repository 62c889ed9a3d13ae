/**
 * Every setting of the server: what exists, and what it is set to.
 *
 * <p>A setting has one name and three spellings: {@code redis.sharding.num.shards} in the file,
 * {@code REDIS_SHARDING_NUM_SHARDS} in the environment, {@code --redis.sharding.num.shards=16} on
 * the command line. The command line beats the environment, the environment beats the file, the
 * file beats the default.
 *
 * <p>One statement declares a key ({@link io.polytable.server.config.RedisKeys} and its siblings);
 * reading, refusing, {@code polytable config} and {@code docs/configuration.md} all follow from
 * that declaration. A source ({@code SettingsFile}, {@code EnvironmentVariables}, {@code
 * CommandLineWords}) turns what it finds into {@link io.polytable.server.config.Setting}s, and
 * refuses names that it does not know; {@link io.polytable.server.config.Configuration} keeps the
 * strongest and refuses values that do not parse; {@code CrossChecks} refuses values that are
 * fine alone and wrong together.
 *
 * <p>Unknown names are refused because a misspelled setting that is silently ignored is found
 * months later. The environment is the exception: it is full of other programs' variables
 * ({@code REDIS_URL}, and the {@code REDIS_PORT=tcp://10.0.0.7:6379} which container platforms put
 * there), so only names that can be nobody else's are judged.
 */
@NullMarked
package io.polytable.server.config;

import org.jspecify.annotations.NullMarked;
