/**
 * Prints a query's tree as DuckDB's SQL. {@link io.polytable.sql.query.render.Renderer} puts every operator in
 * parentheses and every name in quotes, so that DuckDB reads the tree that was printed, whatever its own precedences and
 * keywords are. The result, {@link io.polytable.sql.query.render.Rendered}, has a hole for each scan: what stands there
 * is known only when the query runs.
 */
@NullMarked
package io.polytable.sql.query.render;

import org.jspecify.annotations.NullMarked;
