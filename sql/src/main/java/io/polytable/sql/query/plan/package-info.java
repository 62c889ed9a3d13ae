/**
 * Analysis: turns DuckDB's parse tree of a text into a {@link io.polytable.sql.query.plan.Plan}.
 * {@link io.polytable.sql.query.plan.QueryAnalyzer} replaces every table by a scan of ours, rejects unknown relations
 * and functions, and gives result columns PostgreSQL's names. {@link io.polytable.sql.query.plan.JoinScope} finds the
 * conditions of a WHERE on each joined table. When the plan runs, {@link io.polytable.sql.query.plan.JoinNarrowing}
 * adds conditions from the values of joined tables.
 */
@NullMarked
package io.polytable.sql.query.plan;

import org.jspecify.annotations.NullMarked;
