package io.polytable.entity.store;

import io.polytable.entity.key.EntityRange;
import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * A query of many rows.
 *
 * @param partition only rows of this part, if present
 * @param after only rows after this one in scan order: where an earlier scan of the same query stopped
 */
public record ScanQuery(EntityRange range, Optional<Partition> partition, RowQuery query, Optional<Bytes> after) {}
