/**
 * Columns of tables that are read whole again and again, kept in memory beside the rows they come from.
 *
 * <p>{@link io.polytable.sql.cache.ColumnCache} decides what is kept. A table is cut into blocks of neighbouring keys
 * ({@link io.polytable.sql.cache.CachedTable}); the store tells which of them have changed, and a query takes those from the
 * rows and all others from the cache ({@link io.polytable.sql.cache.CacheView}), so it answers as if there were no cache.
 */
@NullMarked
package io.polytable.sql.cache;

import org.jspecify.annotations.NullMarked;
