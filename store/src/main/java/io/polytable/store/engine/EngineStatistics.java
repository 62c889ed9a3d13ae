package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.state.State;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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
        log.reservedBytes().ifPresent(bytes -> values.put("log_reserved_bytes", bytes));
        values.put("writable", engine.refusal().isEmpty() ? 1L : 0L);
        state.freeBytes().ifPresent(bytes -> values.put("disk_free_bytes", bytes));
        values.put("durable_position", engine.durable());
        values.put("applied_position", applier.applied());
        values.put("memory_rows", memory.rows());
        values.put("memory_bytes", memory.bytes());
        values.put("memory_fresh_bytes", memory.freshBytes());
        values.put("memory_pinned_bytes", memory.pinnedBytes());
        values.put("memory_whole_tables", (long) memory.wholeTables());
        values.put("memory_sealed_generations", (long) memory.sealedCount());
        values.put("memory_read_hits_total", hits);
        values.put("state_reads_total", stateReads);
        values.putAll(state.statistics());
        return new EngineStatistics(values);
    }
}
