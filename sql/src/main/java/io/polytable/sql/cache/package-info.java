/**
 * A cache of columns in memory, for tables that are repeatedly scanned in full.
 *
 * <p>{@link io.polytable.sql.cache.ColumnCache} decides which tables are cached. A
 * {@link io.polytable.sql.cache.CachedTable} consists of blocks of adjacent keys. The store reports which of their
 * ranges have changed. A query reads those from rows and all others from the cache
 * ({@link io.polytable.sql.cache.CacheView}), so its answer is the same as without a cache.
 */
@NullMarked
package io.polytable.sql.cache;

import org.jspecify.annotations.NullMarked;
