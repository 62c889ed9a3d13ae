/**
 * Queries through DuckDB. From below to above: {@code duck} (the library, its values and errors), {@code dialect} (what
 * PostgreSQL means by the same text), {@code scan} (how DuckDB reads our relations), {@code plan} (a text becomes a
 * {@code Plan}), {@code run} ({@code DuckEngine} runs it). This package has what all of them and their callers speak of:
 * {@link io.polytable.sql.query.QueryRows} is a result, {@link io.polytable.sql.query.Names} says what names mean,
 * {@link io.polytable.sql.query.Running} is a statement that can be stopped.
 */
@NullMarked
package io.polytable.sql.query;

import org.jspecify.annotations.NullMarked;
