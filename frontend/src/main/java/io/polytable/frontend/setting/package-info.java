/**
 * The settings of a server: their declarations and their live values.
 *
 * <p>The module that uses a setting declares it in one statement, a {@link io.polytable.frontend.setting.Setting}.
 * Parsing, validation, {@code polytable config}, {@code docs/configuration.md}, CONFIG and SHOW all derive from that
 * declaration. A {@link io.polytable.frontend.setting.SettingCatalog} holds the declarations of all modules.
 *
 * <p>A setting has one name and three spellings: {@code redis.sharding.num.shards} in the file,
 * {@code REDIS_SHARDING_NUM_SHARDS} in the environment, {@code --redis.sharding.num.shards=16} on the command line. The
 * command line overrides the environment, the environment the file, the file the default. Each source ({@code
 * SettingsFile}, {@code EnvironmentVariables}, {@code CommandLineWords}) produces
 * {@link io.polytable.frontend.setting.Given} values and refuses unknown names.
 *
 * <p>{@link io.polytable.frontend.setting.Settings} keeps the value with the highest precedence and refuses invalid ones.
 * There is one for a process: every protocol reads and changes the same values, and components that follow a live
 * setting hold a {@link io.polytable.frontend.setting.LiveValue}.
 *
 * <p>Unknown names are refused because a misspelled setting that is silently ignored is found months later. The
 * environment is the exception: it has variables of other programs ({@code REDIS_URL}, and the {@code
 * REDIS_PORT=tcp://10.0.0.7:6379} which container platforms put there), so only names that can belong to no other
 * program are checked.
 */
@NullMarked
package io.polytable.frontend.setting;

import org.jspecify.annotations.NullMarked;
