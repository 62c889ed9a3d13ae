/**
 * Changes of a row. {@link io.polytable.entity.cassandra.write.EditPlan} turns plain edits into statements; increments and checked puts
 * go through {@link io.polytable.entity.cassandra.write.CheckedWrites}, which reads, decides and writes under a condition, and {@link
 * io.polytable.entity.cassandra.write.Settling}, which finds out about a conditional write that was not answered.
 */
@NullMarked
package io.polytable.entity.cassandra.write;

import org.jspecify.annotations.NullMarked;
