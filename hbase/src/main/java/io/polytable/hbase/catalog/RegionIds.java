package io.polytable.hbase.catalog;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;

/**
 * The ids of a table's regions, stored in the table's definition as comma-separated decimals. Ids make region names
 * unique: a region with the same rows as an earlier one gets another id, so that clients and scanners of the earlier
 * one notice.
 */
final class RegionIds {
    private static final Bytes KEY = Descriptors.HIDDEN.concat(Bytes.utf8("region-ids"));
    private static final long UNNUMBERED = 1;

    private RegionIds() {}

    /** The spec with these splits, and this id for every region. */
    static CellTableSpec numbered(CellTableSpec spec, List<Bytes> splits, long id) {
        return with(spec.withSplits(splits), Collections.nCopies(splits.size() + 1, id));
    }

    static CellTableSpec with(CellTableSpec spec, List<Long> ids) {
        Map<Bytes, Bytes> attributes = new TreeMap<>(spec.attributes());
        attributes.put(
                KEY,
                Bytes.utf8(String.join(",", ids.stream().map(String::valueOf).toList())));
        return spec.withAttributes(attributes);
    }

    /** One id for each partition of the table. */
    static List<Long> of(CellTableSpec spec) {
        int count = spec.splits().size() + 1;
        Optional<Bytes> stored = Optional.ofNullable(spec.attributes().get(KEY));
        List<Long> ids = new ArrayList<>(count);
        stored.ifPresent(text -> {
            for (String id : text.utf8().split(",", -1)) {
                ids.add(Long.valueOf(id));
            }
        });
        // A table that was not created by this frontend has no ids.
        return ids.size() == count ? ids : Collections.nCopies(count, UNNUMBERED);
    }

    static List<RegionInfo> regions(CellTableSpec spec) {
        List<Long> ids = of(spec);
        List<RowRange> ranges = spec.partitions();
        List<RegionInfo> regions = new ArrayList<>(ranges.size());
        for (int i = 0; i < ranges.size(); i++) {
            regions.add(RegionInfoBuilder.newBuilder(HBaseTypes.hbaseName(spec.name()))
                    .setStartKey(ranges.get(i).from().toByteArray())
                    .setEndKey(ranges.get(i).to().toByteArray())
                    .setRegionId(ids.get(i))
                    .build());
        }
        return regions;
    }
}
