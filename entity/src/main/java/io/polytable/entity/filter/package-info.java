/**
 * Filters of reads: {@link io.polytable.entity.filter.ColumnFilter}s select cells, before stores count
 * versions.
 */
@NullMarked
package io.polytable.entity.filter;

import org.jspecify.annotations.NullMarked;
