/**
 * Changes of a row. {@link io.polytable.entity.cassandra.write.EditPlan} translates plain edits into statements.
 * Increments and checked puts go through {@link io.polytable.entity.cassandra.write.CheckedWrites}, which reads,
 * decides and writes conditionally, and {@link io.polytable.entity.cassandra.write.OutcomeResolver}, which resolves the
 * outcome of a conditional write without an answer.
 */
@NullMarked
package io.polytable.entity.cassandra.write;

import org.jspecify.annotations.NullMarked;
