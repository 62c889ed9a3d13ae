/**
 * SELECT. {@link io.polytable.sql.command.read.Reads} answers by key where it can
 * ({@link io.polytable.sql.command.read.KeyRead}), and gives everything else to DuckDB.
 * {@link io.polytable.sql.command.read.Explanations} tells which of the two a statement takes.
 */
@NullMarked
package io.polytable.sql.command.read;

import org.jspecify.annotations.NullMarked;
