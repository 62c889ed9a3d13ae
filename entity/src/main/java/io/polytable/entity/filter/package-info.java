/**
 * What a read leaves out: {@link io.polytable.entity.filter.ColumnFilter}s of cells, which stores apply before they count
 * versions.
 */
@NullMarked
package io.polytable.entity.filter;

import org.jspecify.annotations.NullMarked;
