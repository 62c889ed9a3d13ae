/**
 * Expressions evaluated without DuckDB. {@link io.polytable.sql.expr.ExprCompiler} resolves types as PostgreSQL does
 * and turns an expression into a {@link io.polytable.sql.expr.Compiled}. For an expression that it does not support it
 * throws {@link io.polytable.sql.expr.NotCompilable}, and the statement goes to DuckDB.
 * {@link io.polytable.sql.expr.Conditions} extracts conditions on columns from a WHERE, for key ranges.
 */
@NullMarked
package io.polytable.sql.expr;

import org.jspecify.annotations.NullMarked;
