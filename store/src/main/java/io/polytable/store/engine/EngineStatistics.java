package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.state.State;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdb.TickerType;

/** The engine's metrics at one point in time, by name. Names are stable and end in their unit. */
public record EngineStatistics(Map<String, Long> values) {
    public EngineStatistics {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    static EngineStatistics of(
            Engine engine, CommitLog log, State state, RowMemory memory, Applier applier, long hits, long stateReads) {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("log_end_position", log.end());
        values.put("log_first_position", log.first());
        values.put("log_acknowledged_position", log.acknowledged());
        values.put("log_synced_position", log.synced());
        values.put("durable_position", engine.durable());
        values.put("applied_position", applier.applied());
        values.put("flushed_position", state.flushed().position());
        values.put("memory_rows", memory.rows());
        values.put("memory_bytes", memory.bytes());
        values.put("memory_fresh_bytes", memory.freshBytes());
        values.put("memory_pinned_bytes", memory.pinnedBytes());
        values.put("memory_whole_tables", (long) memory.wholeTables());
        values.put("memory_sealed_generations", (long) memory.sealedCount());
        values.put("memory_read_hits_total", hits);
        values.put("state_reads_total", stateReads);
        values.put("state_cache_bytes", state.cacheBytes());
        values.put("state_cache_hits_total", state.ticker(TickerType.BLOCK_CACHE_HIT));
        values.put("state_cache_misses_total", state.ticker(TickerType.BLOCK_CACHE_MISS));
        values.put("state_bloom_useful_total", state.ticker(TickerType.BLOOM_FILTER_USEFUL));
        values.put("state_memtable_bytes", state.property("rocksdb.cur-size-all-mem-tables"));
        values.put("state_live_data_bytes", state.property("rocksdb.estimate-live-data-size"));
        values.put("state_files_bytes", state.property("rocksdb.total-sst-files-size"));
        values.put("state_pending_compaction_bytes", state.property("rocksdb.estimate-pending-compaction-bytes"));
        values.put("state_live_versions", state.property("rocksdb.num-live-versions"));
        values.put("state_estimated_rows", state.property("rocksdb.estimate-num-keys"));
        return new EngineStatistics(values);
    }
}
