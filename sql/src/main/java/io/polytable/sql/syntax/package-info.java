/**
 * Statements as text, and as what they say. {@link io.polytable.sql.syntax.Lexer} makes tokens with positions;
 * {@link io.polytable.sql.syntax.StatementParser} makes {@link io.polytable.sql.syntax.Statement}s of them.
 *
 * <p>Definitions, writes and session statements are parsed whole. Of expressions we know a part
 * ({@link io.polytable.sql.syntax.Expr}): what statements by key need. An expression beyond it stays a
 * {@link io.polytable.sql.syntax.Fragment} of text, and a SELECT beyond it stays text too: DuckDB's parser reads those.
 */
@NullMarked
package io.polytable.sql.syntax;

import org.jspecify.annotations.NullMarked;
