/**
 * PostgreSQL's templates for text: {@link io.polytable.sql.format.TimeTemplate} for dates and times, {@link
 * io.polytable.sql.format.NumberTemplate} for numbers, {@link io.polytable.sql.format.TextFunctions} for functions on text
 * that DuckDB does not have. Everything here is text in, text out; {@code query} registers it with DuckDB.
 */
@NullMarked
package io.polytable.sql.format;

import org.jspecify.annotations.NullMarked;
