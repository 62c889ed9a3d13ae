/**
 * The tables of one locality group. {@link io.polytable.entity.cassandra.group.GroupShape} defines their shape, {@link
 * io.polytable.entity.cassandra.group.GroupTable} creates them, and {@link
 * io.polytable.entity.cassandra.group.GroupCells} reads a row's cells: it chooses the statements for a query and cuts
 * their results to the requested cells. {@link io.polytable.entity.cassandra.group.GroupWrites} builds the write
 * statements.
 */
@NullMarked
package io.polytable.entity.cassandra.group;

import org.jspecify.annotations.NullMarked;
