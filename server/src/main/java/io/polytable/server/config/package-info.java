/**
 * The settings of the server: their declarations and their values.
 *
 * <p>A setting has one name and three spellings: {@code redis.sharding.num.shards} in the file,
 * {@code REDIS_SHARDING_NUM_SHARDS} in the environment, {@code --redis.sharding.num.shards=16} on
 * the command line. The command line beats the environment, the environment beats the file, the
 * file beats the default.
 *
 * <p>One statement declares a key ({@link io.polytable.redis.command.config.RedisSettings} and the other families).
 * Parsing, validation, {@code polytable config} and {@code docs/configuration.md} all derive from
 * that declaration. A source ({@code SettingsFile}, {@code EnvironmentVariables}, {@code
 * CommandLineWords}) produces {@link io.polytable.frontend.setting.Given}s and
 * refuses unknown names; {@link io.polytable.frontend.setting.Settings} keeps the
 * one with the highest precedence and refuses invalid values; {@code CrossChecks} refuses invalid
 * combinations.
 *
 * <p>Unknown names are refused because a misspelled setting that is silently ignored is found
 * months later. The environment is the exception: it has variables of other programs
 * ({@code REDIS_URL}, and the {@code REDIS_PORT=tcp://10.0.0.7:6379} which container platforms put
 * there), so only names that can belong to no other program are checked.
 */
@NullMarked
package io.polytable.server.config;

import org.jspecify.annotations.NullMarked;
