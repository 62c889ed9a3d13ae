/**
 * Views: the rows of a frontend as others see them, for SQL, exports and copies in other systems. A
 * {@link io.polytable.frontend.view.View} has named, typed columns, whatever the layout of the stored bytes. A
 * {@link io.polytable.frontend.view.ViewScan} selects columns, key ranges and a number of rows, which are returned
 * in {@link io.polytable.table.column.ColumnBatch}es. A {@link
 * io.polytable.frontend.view.Follower} reports which rows the commits after a position changed; {@link
 * io.polytable.frontend.view.FollowedViews} is what a frontend knows about that. A {@link
 * io.polytable.frontend.view.ViewImport} imports rows that a view exported.
 */
@NullMarked
package io.polytable.frontend.view;

import org.jspecify.annotations.NullMarked;
