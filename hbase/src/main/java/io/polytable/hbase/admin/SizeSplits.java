package io.polytable.hbase.admin;

import io.polytable.frontend.work.Background;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.SplitPoints;
import io.polytable.hbase.catalog.TableChanges;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits regions that have grown too large. Regions have no files whose size is known, so a region is measured by a
 * scan, once enough was written to it that it may exceed the limit. A region of unknown size is measured after writes
 * of an eighth of the limit. So no region stays larger than nine eighths of the limit for long, and few scans are
 * wasted.
 */
final class SizeSplits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SizeSplits.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final int SHARE = 8;

    private final Catalog catalog;
    private final TableChanges changes;
    private final Switches switches;
    private final long regionBytesMax;

    /** The written bytes at which a region is measured next. */
    private final Map<Region, Long> nextMeasure = new HashMap<>();

    private final Background background = new Background("hbase-splits", Duration.ZERO);

    SizeSplits(Catalog catalog, TableChanges changes, Switches switches, long regionBytesMax) {
        this.catalog = catalog;
        this.changes = changes;
        this.switches = switches;
        this.regionBytesMax = regionBytesMax;
    }

    void start() {
        background.after(LOOK_EVERY, this::look);
    }

    /** Measures the regions that may have grown too large, and splits those that have. */
    void look() {
        if (!switches.isOn(Switches.Name.SPLIT)) {
            return;
        }
        Set<Region> served = new HashSet<>();
        for (HBaseTable table : catalog.tables().all()) {
            if (table.enabled() && isSplit(table.descriptor())) {
                long limit = limit(table.descriptor());
                served.addAll(table.regions());
                table.regions().forEach(region -> look(region, limit));
            }
        }
        nextMeasure.keySet().retainAll(served);
    }

    private static boolean isSplit(TableDescriptor table) {
        return table.isSplitEnabled() && !neverSplits(table);
    }

    /** Whether the table's policy forbids every split, also one on request. */
    static boolean neverSplits(TableDescriptor table) {
        String policy = table.getRegionSplitPolicyClassName();
        return policy != null && policy.endsWith("DisabledRegionSplitPolicy");
    }

    private long limit(TableDescriptor table) {
        try {
            return table.getMaxFileSize() > 0 ? table.getMaxFileSize() : regionBytesMax;
        } catch (NumberFormatException stored) {
            // Refused today, but an older server may have stored it.
            return regionBytesMax;
        }
    }

    private void look(Region region, long limit) {
        long written = region.writtenBytes();
        if (written < nextMeasure.getOrDefault(region, limit / SHARE)) {
            return;
        }
        try {
            SplitPoints.Measure measure = SplitPoints.measure(region);
            region.measured(measure.bytes(), written);
            nextMeasure.put(region, written + Math.max(limit - measure.bytes(), limit / SHARE));
            if (measure.bytes() > limit && measure.middle().isPresent()) {
                changes.split(region, measure.middle().get());
                LOG.info(
                        "{} had {} bytes and was split", region.description().getRegionNameAsString(), measure.bytes());
            }
        } catch (IOException | RuntimeException | Error failed) {
            nextMeasure.put(region, written + Math.max(1, limit / SHARE));
            LOG.warn("{} was not split", region.description().getRegionNameAsString(), failed);
        }
    }

    @Override
    public void close() {
        background.close();
    }
}
