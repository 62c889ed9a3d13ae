/**
 * Units of work. A {@link io.polytable.sql.model.transaction.Transaction} is a write set over a snapshot, checked for
 * conflicts when it commits. {@link io.polytable.sql.model.transaction.TableWriter} puts rows into it, with their index entries,
 * and keeps NOT NULL and uniqueness. {@link io.polytable.sql.model.transaction.HeapBudget} bounds what all of them hold.
 */
@NullMarked
package io.polytable.sql.model.transaction;

import org.jspecify.annotations.NullMarked;
