/**
 * Execution of plans. {@link io.polytable.sql.query.run.DuckEngine} opens the scans of a plan, runs its text in DuckDB
 * and returns {@link io.polytable.sql.query.run.DuckRows}. {@link io.polytable.sql.query.run.ResultBudget} bounds the
 * heap that results take.
 */
@NullMarked
package io.polytable.sql.query.run;

import org.jspecify.annotations.NullMarked;
