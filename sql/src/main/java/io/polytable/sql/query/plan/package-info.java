/**
 * A text becomes a plan. {@link io.polytable.sql.query.plan.QueryAnalyzer} has DuckDB parse it, replaces every table by a scan
 * of ours, refuses relations and functions that are not known, and gives result columns PostgreSQL's names.
 * {@link io.polytable.sql.query.plan.JoinScope} says what a WHERE leaves of each joined table; the result is a
 * {@link io.polytable.sql.query.plan.Plan}.
 */
@NullMarked
package io.polytable.sql.query.plan;

import org.jspecify.annotations.NullMarked;
