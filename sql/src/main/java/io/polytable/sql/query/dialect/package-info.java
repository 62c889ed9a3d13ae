/**
 * PostgreSQL's dialect on DuckDB. {@link io.polytable.sql.query.dialect.Dialect} rewrites expressions where the two
 * differ, {@link io.polytable.sql.query.dialect.KnownFunctions} and {@link io.polytable.sql.query.dialect.Operators}
 * admit only functions and operators of their lists, and {@link io.polytable.sql.query.dialect.PostgresFunctions}
 * registers those that DuckDB lacks ({@code macros.sql}).
 */
@NullMarked
package io.polytable.sql.query.dialect;

import org.jspecify.annotations.NullMarked;
