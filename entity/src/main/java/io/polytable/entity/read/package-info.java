/**
 * Reading: {@link io.polytable.entity.read.TableReader} returns {@link io.polytable.entity.read.EntityRow}s, one, many or a
 * {@link io.polytable.entity.read.RowScanner} of them; {@link io.polytable.entity.read.ColumnPager} reads large
 * columns and families page by page. {@link io.polytable.entity.read.ReadPlan} translates names into ids for the store.
 */
@NullMarked
package io.polytable.entity.read;

import org.jspecify.annotations.NullMarked;
