/**
 * The SQL parser. {@link io.polytable.sql.syntax.Lexer} turns text into tokens with positions, and
 * {@link io.polytable.sql.syntax.StatementParser} turns those into {@link io.polytable.sql.syntax.Statement}s.
 *
 * <p>There is one parser of expressions ({@link io.polytable.sql.syntax.ExpressionParser}) and of queries
 * ({@link io.polytable.sql.syntax.QueryParser}), for all statements: what they read is the tree of {@code sql.tree}. Only
 * what the catalog stores as text, such as a default, keeps its text ({@link io.polytable.sql.syntax.Fragment}).
 */
@NullMarked
package io.polytable.sql.syntax;

import org.jspecify.annotations.NullMarked;
