/**
 * PostgreSQL's meaning of a query's text. {@link io.polytable.sql.query.dialect.Dialect} rewrites DuckDB's parse where the
 * two differ, {@link io.polytable.sql.query.dialect.KnownFunctions} lets only listed functions through, and
 * {@link io.polytable.sql.query.dialect.PostgresFunctions} registers those that DuckDB lacks ({@code macros.sql}).
 */
@NullMarked
package io.polytable.sql.query.dialect;

import org.jspecify.annotations.NullMarked;
