/**
 * PostgreSQL's formatting: {@link io.polytable.sql.format.TimeTemplate} for dates and times,
 * {@link io.polytable.sql.format.NumberTemplate} for numbers, {@link io.polytable.sql.format.TextFunctions} and
 * {@link io.polytable.sql.format.JsonFunctions} for functions and operators that DuckDB lacks. Nothing here depends on
 * DuckDB; {@code query} registers it as functions.
 */
@NullMarked
package io.polytable.sql.format;

import org.jspecify.annotations.NullMarked;
