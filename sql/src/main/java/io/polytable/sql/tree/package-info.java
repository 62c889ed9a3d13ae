/**
 * The tree of a query: what the parser reads, the binder resolves and the renderer prints for DuckDB.
 * {@link io.polytable.sql.tree.Query} is a SELECT with its modifiers, {@link io.polytable.sql.tree.Source} a part of a
 * FROM clause and {@link io.polytable.sql.tree.Expression} a value. All nodes are immutable; a rewriting step returns a
 * new tree. Two nodes are equal if they mean the same, wherever they were written ({@link io.polytable.sql.tree.At}).
 */
@NullMarked
package io.polytable.sql.tree;

import org.jspecify.annotations.NullMarked;
