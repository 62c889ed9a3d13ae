/**
 * What statements do. A {@code session.Session} takes a text, {@link io.polytable.sql.command.Dispatcher} finds the room that
 * runs it: {@code definition}, {@code write}, {@code read}, {@code introspection} (SHOW, DESCRIBE and the tables about tables),
 * {@code file} (storages, FLUSH, EXPORT, IMPORT). They stand on {@code session} (a client's conversation and what all share)
 * and {@code compiled} (what is kept of statements that come again). {@link io.polytable.sql.command.SqlCommands} puts them
 * together.
 */
@NullMarked
package io.polytable.sql.command;

import org.jspecify.annotations.NullMarked;
