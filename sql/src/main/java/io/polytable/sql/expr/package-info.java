/**
 * Expressions computed by ourselves. {@link io.polytable.sql.expr.ExprCompiler} finds types, as PostgreSQL does, and makes
 * a {@link io.polytable.sql.expr.Compiled} of an expression; what it does not know is
 * {@link io.polytable.sql.expr.NotCompilable}, and the statement takes the way through DuckDB.
 * {@link io.polytable.sql.expr.Conditions} finds what a WHERE says about keys.
 */
@NullMarked
package io.polytable.sql.expr;

import org.jspecify.annotations.NullMarked;
