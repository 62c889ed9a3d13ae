/**
 * Binding: turns a query's tree into a {@link io.polytable.sql.query.plan.DuckQuery}.
 * {@link io.polytable.sql.query.plan.QueryBinder} replaces every table by a scan of ours, and rejects unknown relations
 * and functions. {@link io.polytable.sql.query.plan.JoinScope} finds the conditions of a WHERE on each joined table. When
 * the query runs, {@link io.polytable.sql.query.plan.JoinNarrowing} adds conditions from the values of joined tables.
 */
@NullMarked
package io.polytable.sql.query.plan;

import org.jspecify.annotations.NullMarked;
