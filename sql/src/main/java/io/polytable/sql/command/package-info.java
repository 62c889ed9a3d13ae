/**
 * Execution of statements. A {@code session.Session} takes a text, and {@link io.polytable.sql.command.Dispatcher}
 * passes each statement to the package that runs it: {@code definition}, {@code write}, {@code read},
 * {@code introspection} (SHOW, DESCRIBE and the system tables), {@code file} (storages, FLUSH, EXPORT, IMPORT). These
 * build on {@code session} (sessions and the state that they share) and {@code compiled} (the cache of compiled
 * statements). {@link io.polytable.sql.command.SqlCommands} wires them together.
 */
@NullMarked
package io.polytable.sql.command;

import org.jspecify.annotations.NullMarked;
