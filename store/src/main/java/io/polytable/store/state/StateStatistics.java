package io.polytable.store.state;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** The metrics of an open state. */
final class StateStatistics {
    private StateStatistics() {}

    static Map<String, Long> of(RocksDB database, Tuning tuning, long flushed) {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("flushed_position", flushed);
        values.put("state_cache_bytes", tuning.cacheBytes());
        values.put("state_cache_hits_total", tuning.statistics().getTickerCount(TickerType.BLOCK_CACHE_HIT));
        values.put("state_cache_misses_total", tuning.statistics().getTickerCount(TickerType.BLOCK_CACHE_MISS));
        values.put("state_bloom_useful_total", tuning.statistics().getTickerCount(TickerType.BLOOM_FILTER_USEFUL));
        values.put("state_memtable_bytes", property(database, "rocksdb.cur-size-all-mem-tables"));
        values.put("state_live_data_bytes", property(database, "rocksdb.estimate-live-data-size"));
        values.put("state_files_bytes", property(database, "rocksdb.total-sst-files-size"));
        values.put("state_pending_compaction_bytes", property(database, "rocksdb.estimate-pending-compaction-bytes"));
        values.put("state_live_versions", property(database, "rocksdb.num-live-versions"));
        values.put("state_estimated_rows", property(database, "rocksdb.estimate-num-keys"));
        return values;
    }

    /** A property, summed over all families; 0 if it is unknown. */
    static long property(RocksDB database, String name) {
        try {
            return database.getAggregatedLongProperty(name);
        } catch (RocksDBException e) {
            return 0;
        }
    }
}
