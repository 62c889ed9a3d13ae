/**
 * The SQL parser. {@link io.polytable.sql.syntax.Lexer} turns text into tokens with positions, and
 * {@link io.polytable.sql.syntax.StatementParser} turns those into {@link io.polytable.sql.syntax.Statement}s.
 *
 * <p>Definitions, writes and session statements are parsed at once. Queries stay text until they are bound, which is
 * cached: {@link io.polytable.sql.syntax.QueryParser} reads them into the tree of {@code sql.tree}. Of expressions in
 * writes, and of queries by key, we also parse the subset that we evaluate without DuckDB
 * ({@link io.polytable.sql.syntax.Expr}).
 */
@NullMarked
package io.polytable.sql.syntax;

import org.jspecify.annotations.NullMarked;
