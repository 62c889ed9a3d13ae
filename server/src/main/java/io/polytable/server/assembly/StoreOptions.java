package io.polytable.server.assembly;

import com.sun.management.OperatingSystemMXBean;
import io.polytable.server.config.ByteSize;
import io.polytable.server.config.Configuration;
import io.polytable.server.config.ServerKeys;
import io.polytable.server.config.StoreKeys;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import java.lang.management.ManagementFactory;

/** The store's options: configured values, and defaults derived from the machine for {@code auto}. */
final class StoreOptions {
    /** The share of the heap for rows. The rest is for faces, the JVM and headroom for the garbage collector. */
    private static final double ROWS_SHARE = 0.4;

    /** The share of the machine's memory for blocks; beyond the maximum the page cache does as well. */
    private static final double BLOCKS_SHARE = 0.125;

    private static final long BLOCKS_BYTES_MAX = 4 * ByteSize.GB;

    /** At most three generations wait while a fourth fills, and hot rows need room beside them. */
    private static final int GENERATIONS_IN_MEMORY = 8;

    private static final long LOG_PAGE_BYTES = 4096;

    /** The share of the heap for change feeds. */
    private static final int FEEDS_SHARE = 8;

    private StoreOptions() {}

    /** The options of each of so many groups, which share the memory. */
    static EngineOptions engine(Configuration configuration, int groups) {
        return engine(configuration, groups, Runtime.getRuntime().maxMemory());
    }

    static EngineOptions engine(Configuration configuration, int groups, long heapBytes) {
        EngineOptions usual = EngineOptions.DEFAULT;
        long rows = configuration.get(ServerKeys.MEMORY_ROWS).orElse((long) (heapBytes * ROWS_SHARE));
        long blocks = configuration.get(ServerKeys.MEMORY_BLOCKS).orElseGet(StoreOptions::blocksForThisMachine);
        return usual.withDurability(configuration.get(StoreKeys.DURABILITY))
                .withMemory(rows / groups, blocks / groups)
                .withFeedMemory(heapBytes / FEEDS_SHARE / groups)
                .withGenerations(
                        Math.min(usual.generationBytes(), rows / groups / GENERATIONS_IN_MEMORY),
                        usual.generationAge());
    }

    static FileLogOptions log(Configuration configuration) {
        long segment = configuration.get(StoreKeys.SEGMENT_BYTES);
        return FileLogOptions.defaults()
                .withSegmentBytes((segment + LOG_PAGE_BYTES - 1) / LOG_PAGE_BYTES * LOG_PAGE_BYTES)
                .withRetention(
                        configuration.get(StoreKeys.RETENTION_BYTES), configuration.get(StoreKeys.RETENTION_TIME));
    }

    private static long blocksForThisMachine() {
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long share = (long) (machine.getTotalMemorySize() * BLOCKS_SHARE);
        return Math.max(ServerKeys.BLOCKS_BYTES_MIN, Math.min(share, BLOCKS_BYTES_MAX));
    }
}
