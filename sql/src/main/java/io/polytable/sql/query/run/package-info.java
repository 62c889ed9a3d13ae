/**
 * Plans at work. {@link io.polytable.sql.query.run.DuckEngine} opens the scans of a plan, runs DuckDB's text of it, and
 * answers {@link io.polytable.sql.query.run.DuckRows}, within the memory that
 * {@link io.polytable.sql.query.run.ResultBudget} leaves.
 */
@NullMarked
package io.polytable.sql.query.run;

import org.jspecify.annotations.NullMarked;
