/**
 * RDB files (docs/formats/redis-rdb.md): {@link io.polytable.redis.model.rdb.RdbReader} reads them item by item,
 * {@link io.polytable.redis.model.rdb.RdbImport} turns the items into keys, {@link io.polytable.redis.model.rdb.RdbExport}
 * writes the keys of a snapshot. Values are those of {@link io.polytable.redis.model.dump}, read and written in parts:
 * memory is bounded by the largest single element, not by the largest key. A file may come from anyone.
 */
@NullMarked
package io.polytable.redis.model.rdb;

import org.jspecify.annotations.NullMarked;
