/**
 * Commands on keys of any type and on whole databases: {@link io.polytable.redis.command.keyspace.KeyCommands},
 * {@link io.polytable.redis.command.keyspace.ExpiryCommands}, {@link io.polytable.redis.command.keyspace.ScanCommands}
 * and {@code DatabaseCommands}. HSCAN, SSCAN and ZSCAN also use {@code ScanOptions}.
 */
@NullMarked
package io.polytable.redis.command.keyspace;

import org.jspecify.annotations.NullMarked;
