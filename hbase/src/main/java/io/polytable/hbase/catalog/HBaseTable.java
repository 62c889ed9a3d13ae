package io.polytable.hbase.catalog;

import io.polytable.cells.store.CellTable;
import io.polytable.table.TableName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;

/**
 * A table as clients see it at one moment.
 *
 * @param writesUnderWay one counter for as long as the table lives: a write outlives its region when that is split
 */
public record HBaseTable(
        TableName name,
        CellTable cells,
        TableDescriptor descriptor,
        TableState.State state,
        List<Region> regions,
        AtomicInteger writesUnderWay) {
    public HBaseTable {
        regions = List.copyOf(regions);
    }

    /** Whether requests are answered: neither disabled nor about to be. */
    public boolean enabled() {
        return state == TableState.State.ENABLED;
    }

    public org.apache.hadoop.hbase.TableName hbaseName() {
        return descriptor.getTableName();
    }
}
