/**
 * Removal of expired entries in deadline order: {@link io.polytable.table.deadline.DeadlineQueue} reads
 * an index by deadline, {@link io.polytable.table.deadline.DeadlineIndex} is the one of rows with deadlines, and
 * {@link io.polytable.table.deadline.RowExpirer} removes those rows (docs/decisions/0017-row-deadlines.md).
 */
@NullMarked
package io.polytable.table.deadline;

import org.jspecify.annotations.NullMarked;
