package io.polytable.sql.syntax;

import io.polytable.sql.tree.Expression;

/**
 * An expression of a definition, which the catalog stores as text.
 *
 * @param position the offset of the text in the statement
 */
public record Fragment(String text, int position, Expression value) {}
