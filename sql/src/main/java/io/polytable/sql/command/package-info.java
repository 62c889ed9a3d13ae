/**
 * What statements do. A {@link io.polytable.sql.command.Session} runs them one after the other: definitions
 * ({@link io.polytable.sql.command.Definitions}), writes ({@link io.polytable.sql.command.Inserts},
 * {@link io.polytable.sql.command.Changes}), reads ({@link io.polytable.sql.command.Reads}) and lists
 * ({@link io.polytable.sql.command.Listings}). {@link io.polytable.sql.command.SqlEngine} holds what all sessions share.
 */
@NullMarked
package io.polytable.sql.command;

import org.jspecify.annotations.NullMarked;
