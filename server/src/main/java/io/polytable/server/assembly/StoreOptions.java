package io.polytable.server.assembly;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.StoreSettings;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;

/** The store's options: configured values, and defaults derived from the machine for {@code auto}. */
final class StoreOptions {
    /** At most three generations wait while a fourth fills, and hot rows need space beside them. */
    private static final int GENERATIONS_IN_MEMORY = 8;

    private static final long LOG_PAGE_BYTES = 4096;

    private StoreOptions() {}

    /** The options of each of so many partitions, which share the memory. */
    static EngineOptions engine(Settings settings, int partitions) {
        MemoryPlan memory = MemoryShares.of(settings);
        EngineOptions usual = EngineOptions.DEFAULT;
        long rows = memory.budget(MemoryShares.ROWS).limitBytes();
        long blocks = memory.budget(MemoryShares.BLOCKS).limitBytes();
        return usual.withDurability(settings.get(StoreSettings.DURABILITY))
                .withMemory(rows / partitions, blocks / partitions)
                .withFeedMemory(memory.budget(MemoryShares.FEEDS).limitBytes() / partitions)
                .withGenerations(
                        Math.min(usual.generations().bytes(), rows / partitions / GENERATIONS_IN_MEMORY),
                        usual.generations().age());
    }

    static FileLogOptions log(Settings settings) {
        long segment = settings.get(StoreSettings.SEGMENT_BYTES);
        return FileLogOptions.defaults()
                .withSegmentBytes((segment + LOG_PAGE_BYTES - 1) / LOG_PAGE_BYTES * LOG_PAGE_BYTES)
                .withRetention(settings.get(StoreSettings.RETENTION_BYTES), settings.get(StoreSettings.RETENTION_TIME));
    }
}
