package io.polytable.hbase.catalog;

import io.polytable.cells.CellTable;
import io.polytable.table.TableName;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A table as clients see it at one moment. */
public record HBaseTable(
        TableName name, CellTable cells, TableDescriptor descriptor, boolean enabled, List<Region> regions) {
    public HBaseTable {
        regions = List.copyOf(regions);
    }

    public org.apache.hadoop.hbase.TableName hbaseName() {
        return descriptor.getTableName();
    }
}
