/**
 * PostgreSQL's dialect on DuckDB. {@link io.polytable.sql.query.dialect.Dialect} rewrites DuckDB's parse tree where the
 * two differ, {@link io.polytable.sql.query.dialect.KnownFunctions} admits only functions of its list, and
 * {@link io.polytable.sql.query.dialect.PostgresFunctions} registers those that DuckDB lacks ({@code macros.sql}).
 */
@NullMarked
package io.polytable.sql.query.dialect;

import org.jspecify.annotations.NullMarked;
