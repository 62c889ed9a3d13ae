/**
 * SELECT. {@link io.polytable.sql.command.read.Reads} answers by key or index where it can
 * ({@link io.polytable.sql.command.read.KeyRead}) and passes everything else to DuckDB.
 * {@link io.polytable.sql.command.read.Explanations} reports which of the two paths a statement takes.
 */
@NullMarked
package io.polytable.sql.command.read;

import org.jspecify.annotations.NullMarked;
