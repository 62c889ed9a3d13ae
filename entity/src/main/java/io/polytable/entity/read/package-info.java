/**
 * Reading: {@link io.polytable.entity.read.TableReader} answers {@link io.polytable.entity.read.EntityRow}s, one, many or a
 * {@link io.polytable.entity.read.RowScanner} of them; {@link io.polytable.entity.read.ColumnPager} goes through large
 * columns and families a page at a time. {@link io.polytable.entity.read.ReadPlan} turns names into ids for the store.
 */
@NullMarked
package io.polytable.entity.read;

import org.jspecify.annotations.NullMarked;
