package io.polytable.server.assembly;

import io.polytable.frontend.metric.Metric;
import java.util.Map;

/** The store's statistics as metrics: names with the prefix of the store, and what they mean. */
final class StoreMetrics {
    private static final String PREFIX = "polytable_store_";

    private static final Map<String, String> HELP = Map.ofEntries(
            Map.entry("log_first_position", "Position of the oldest commit that the log still holds"),
            Map.entry("log_end_position", "Position after the last commit appended to the log"),
            Map.entry("log_acknowledged_position", "Position up to which commits may be acknowledged to clients"),
            Map.entry("log_synced_position", "Position up to which the log is synced to disk, or replicated"),
            Map.entry("durable_position", "Position up to which commits survive a power failure"),
            Map.entry("applied_position", "Position up to which commits are visible to reads"),
            Map.entry("flushed_position", "Position up to which the state is on disk; a restart replays from here"),
            Map.entry("memory_rows", "Rows in the row cache"),
            Map.entry("memory_bytes", "Bytes of the row cache, bounded by memory.rows"),
            Map.entry("memory_fresh_bytes", "Bytes of rows in the row cache that are not yet written to the state"),
            Map.entry("memory_pinned_bytes", "Bytes of the row cache that open snapshots and cursors keep"),
            Map.entry("memory_whole_tables", "Tables whose rows are all in the row cache, so reads need no file"),
            Map.entry("memory_sealed_generations", "Generations of the row cache that wait to be written to the state"),
            Map.entry("memory_read_hits", "Reads answered from the row cache"),
            Map.entry("state_reads", "Reads that went to RocksDB"),
            Map.entry("state_cache_bytes", "Bytes in RocksDB's block cache, bounded by memory.blocks"),
            Map.entry("state_cache_hits", "Blocks that RocksDB found in its block cache"),
            Map.entry("state_cache_misses", "Blocks that RocksDB read from its files"),
            Map.entry("state_bloom_useful", "File reads that RocksDB's bloom filters avoided"),
            Map.entry("disk_free_bytes", "Bytes free on the file system of the data directory"),
            Map.entry(
                    "log_reserved_bytes", "Bytes of preallocated log files that writes use before more disk is needed"),
            Map.entry(
                    "writable", "1 while writes are accepted, 0 while the disk is full or the state cannot be written"),
            Map.entry("state_memtable_bytes", "Bytes in RocksDB's memtables"),
            Map.entry("state_live_data_bytes", "Estimated bytes of live data in RocksDB's files"),
            Map.entry("state_files_bytes", "Bytes of RocksDB's files"),
            Map.entry("state_pending_compaction_bytes", "Estimated bytes that RocksDB must still compact"),
            Map.entry(
                    "state_live_versions",
                    "Versions of RocksDB's file set that are in use; open snapshots keep old ones"),
            Map.entry("state_estimated_rows", "Estimated rows in RocksDB"));

    private StoreMetrics() {}

    static Metric of(String name) {
        return new Metric(PREFIX + name, HELP.getOrDefault(name, "Statistic of the store: " + name));
    }
}
