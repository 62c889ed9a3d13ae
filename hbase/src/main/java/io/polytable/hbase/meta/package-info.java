/**
 * {@link io.polytable.hbase.meta.MetaTable} presents the catalog as {@code hbase:meta}, the table in which clients
 * look up the regions of all others; {@code MetaRows} builds its rows. {@link io.polytable.hbase.meta.ServedRegions}
 * finds the region that a call addresses: one of a table, or that of {@code hbase:meta}.
 */
@NullMarked
package io.polytable.hbase.meta;

import org.jspecify.annotations.NullMarked;
