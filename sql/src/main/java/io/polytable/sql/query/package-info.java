/**
 * Queries through DuckDB. From bottom to top: {@code duck} (the library, its values and errors), {@code dialect}
 * (PostgreSQL's meaning of a query where DuckDB's differs), {@code scan} (how DuckDB reads our relations), {@code render}
 * (prints a tree as DuckDB's SQL), {@code plan} (binds the names of a tree), {@code run} ({@code DuckEngine} runs it). This package has the types that all of
 * them and their callers share: {@link io.polytable.sql.query.QueryRows} is a result set,
 * {@link io.polytable.sql.query.Names} resolves names, {@link io.polytable.sql.query.Cancellation} cancels a statement.
 */
@NullMarked
package io.polytable.sql.query;

import org.jspecify.annotations.NullMarked;
