package io.polytable.hbase.catalog;

import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.RegionInfo;

/** An immutable snapshot of all tables and regions, with lookups by name. */
public final class Tables {
    public static final Tables NONE = new Tables();

    private final NavigableMap<TableName, HBaseTable> tables =
            new TreeMap<>(Comparator.comparing(TableName::namespace).thenComparing(TableName::name));
    private final Map<Bytes, Region> byName = new HashMap<>();
    private final Map<String, Region> byEncodedName = new HashMap<>();

    private Tables() {}

    static Tables of(Iterable<HBaseTable> all) {
        Tables tables = new Tables();
        for (HBaseTable table : all) {
            tables.tables.put(table.name(), table);
            for (Region region : table.regions()) {
                RegionInfo description = region.description();
                tables.byName.put(Bytes.of(description.getRegionName()), region);
                tables.byEncodedName.put(description.getEncodedName(), region);
            }
        }
        return tables;
    }

    public Iterable<HBaseTable> all() {
        return tables.values();
    }

    public Optional<HBaseTable> find(TableName name) {
        return Optional.ofNullable(tables.get(name));
    }

    public Optional<Region> region(Bytes name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Optional<Region> regionOfEncodedName(String name) {
        return Optional.ofNullable(byEncodedName.get(name));
    }
}
