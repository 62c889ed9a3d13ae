/**
 * The tables of one locality group. {@link io.polytable.entity.cassandra.group.GroupShape} says what they are made as, {@link
 * io.polytable.entity.cassandra.group.GroupTable} makes them, and {@link io.polytable.entity.cassandra.group.GroupCells} reads a row's
 * cells: selects are chosen by the query, and what they find is cut to what was asked for. {@link
 * io.polytable.entity.cassandra.group.GroupWrites} makes the statements that write.
 */
@NullMarked
package io.polytable.entity.cassandra.group;

import org.jspecify.annotations.NullMarked;
