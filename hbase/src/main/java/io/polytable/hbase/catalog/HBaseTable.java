package io.polytable.hbase.catalog;

import io.polytable.cells.store.CellTable;
import io.polytable.table.TableName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;

/**
 * An immutable snapshot of a table's definition, state and regions.
 *
 * @param stateMillis when the state was set last; 0 if an older version set it
 * @param writesUnderWay the number of running writes; one counter for the life of the table, since a write may outlast
 *     its region's split
 */
public record HBaseTable(
        TableName name,
        CellTable cells,
        TableDescriptor descriptor,
        TableState.State state,
        long stateMillis,
        List<Region> regions,
        AtomicInteger writesUnderWay) {
    public HBaseTable {
        regions = List.copyOf(regions);
    }

    /** Whether requests are served: neither disabled nor being disabled. */
    public boolean enabled() {
        return state == TableState.State.ENABLED;
    }

    public org.apache.hadoop.hbase.TableName hbaseName() {
        return descriptor.getTableName();
    }
}
