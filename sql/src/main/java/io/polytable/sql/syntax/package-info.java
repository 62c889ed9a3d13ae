/**
 * The SQL parser. {@link io.polytable.sql.syntax.Lexer} turns text into tokens with positions, and
 * {@link io.polytable.sql.syntax.StatementParser} turns those into {@link io.polytable.sql.syntax.Statement}s.
 *
 * <p>Definitions, writes and session statements are parsed completely. Of expressions we parse a subset
 * ({@link io.polytable.sql.syntax.Expr}): what statements by key need. An expression beyond it stays a
 * {@link io.polytable.sql.syntax.Fragment} of text, and a SELECT beyond it stays text, too: DuckDB's parser reads them.
 */
@NullMarked
package io.polytable.sql.syntax;

import org.jspecify.annotations.NullMarked;
