package io.polytable.entity.request;

import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.Partition;
import java.util.Map;
import java.util.Optional;

/**
 * The range and options of a scan.
 *
 * @param limit the maximum number of entities
 * @param batchRows how many are fetched at a time
 * @param token where an earlier scan of the same request stopped
 */
public record ScanOptions(
        EntityRange range,
        Optional<Partition> partition,
        Optional<RowFilter> filter,
        long limit,
        int batchRows,
        Optional<String> token) {
    public static final ScanOptions ALL =
            new ScanOptions(EntityRange.ALL, Optional.empty(), Optional.empty(), Long.MAX_VALUE, 100, Optional.empty());

    private static final int BATCH_ROWS_MAX = 100_000;

    public ScanOptions {
        if (limit < 0 || batchRows < 1 || batchRows > BATCH_ROWS_MAX) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "A scan's limit or batch is out of bounds",
                    Map.of("limit", limit, "batch", batchRows));
        }
    }

    public ScanOptions range(EntityRange newRange) {
        return new ScanOptions(newRange, partition, filter, limit, batchRows, token);
    }

    public ScanOptions partition(Partition part) {
        return new ScanOptions(range, Optional.of(part), filter, limit, batchRows, token);
    }

    public ScanOptions filter(RowFilter newFilter) {
        return new ScanOptions(range, partition, Optional.of(newFilter), limit, batchRows, token);
    }

    public ScanOptions limit(long rows) {
        return new ScanOptions(range, partition, filter, rows, batchRows, token);
    }

    public ScanOptions batch(int rows) {
        return new ScanOptions(range, partition, filter, limit, rows, token);
    }

    public ScanOptions resumedAt(String newToken) {
        return new ScanOptions(range, partition, filter, limit, batchRows, Optional.of(newToken));
    }
}
