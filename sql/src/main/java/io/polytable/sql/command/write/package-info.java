/**
 * INSERT, UPDATE and DELETE. {@link io.polytable.sql.command.write.Inserts} computes new rows;
 * {@link io.polytable.sql.command.write.Changes} finds rows by key or has DuckDB pick them
 * ({@link io.polytable.sql.command.write.RowPicker}). Both pass the rows to a {@code TableWriter}, which puts them into
 * the transaction, and answer RETURNING ({@link io.polytable.sql.command.write.Returning}).
 */
@NullMarked
package io.polytable.sql.command.write;

import org.jspecify.annotations.NullMarked;
