package io.polytable.store.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The engine's options.
 *
 * @param roomWait how long a commit waits for space in memory before it is refused
 * @param clock the clock for the expiry of rows
 * @param timing the pace of background work
 */
public record EngineOptions(
        DurabilityMode durability,
        Memory memory,
        Generations generations,
        int backgroundJobs,
        Duration roomWait,
        InstantSource clock,
        Timing timing) {
    /**
     * The engine's shares of memory.
     *
     * @param rowBytes heap for fresh and hot rows
     * @param blockBytes RocksDB's block cache, its write buffers included
     * @param feedBytes heap for change feeds
     */
    public record Memory(long rowBytes, long blockBytes, long feedBytes) {}

    /**
     * When rows move to the state.
     *
     * @param bytes the size at which a generation is sealed
     * @param age the age at which even a small generation is sealed
     * @param lagBytesMax the state is flushed when a replay would need to read more of the log than this
     */
    public record Generations(long bytes, Duration age, long lagBytesMax) {}

    /**
     * The pace of background work, which only tests change.
     *
     * @param tick how often the applier looks for work that nobody wakes it for
     * @param retry how often it tries again to write a state that cannot be written
     * @param nanoTime the clock by which cursors are renewed and feeds count as idle
     */
    public record Timing(Duration tick, Duration retry, LongSupplier nanoTime) {
        public static final Timing DEFAULT =
                new Timing(Duration.ofMillis(250), Duration.ofSeconds(1), System::nanoTime);
    }

    public static final EngineOptions DEFAULT = new EngineOptions(
            DurabilityMode.EVERYSEC,
            new Memory(256L << 20, 256L << 20, 128L << 20),
            new Generations(96L << 20, Duration.ofSeconds(5), 256L << 20),
            2,
            Duration.ofSeconds(120),
            InstantSource.system(),
            Timing.DEFAULT);

    public EngineOptions withDurability(DurabilityMode mode) {
        return new EngineOptions(mode, memory, generations, backgroundJobs, roomWait, clock, timing);
    }

    public EngineOptions withMemory(long rowBytes, long blockBytes) {
        return with(new Memory(rowBytes, blockBytes, memory.feedBytes()));
    }

    public EngineOptions withFeedMemory(long bytes) {
        return with(new Memory(memory.rowBytes(), memory.blockBytes(), bytes));
    }

    private EngineOptions with(Memory shares) {
        return new EngineOptions(durability, shares, generations, backgroundJobs, roomWait, clock, timing);
    }

    public EngineOptions withGenerations(long bytes, Duration age) {
        return with(new Generations(bytes, age, generations.lagBytesMax()));
    }

    public EngineOptions withLagBytesMax(long bytes) {
        return with(new Generations(generations.bytes(), generations.age(), bytes));
    }

    private EngineOptions with(Generations next) {
        return new EngineOptions(durability, memory, next, backgroundJobs, roomWait, clock, timing);
    }

    public EngineOptions withRoomWait(Duration most) {
        return new EngineOptions(durability, memory, generations, backgroundJobs, most, clock, timing);
    }

    public EngineOptions withClock(InstantSource other) {
        return new EngineOptions(durability, memory, generations, backgroundJobs, roomWait, other, timing);
    }

    public EngineOptions withTiming(Timing other) {
        return new EngineOptions(durability, memory, generations, backgroundJobs, roomWait, clock, other);
    }
}
