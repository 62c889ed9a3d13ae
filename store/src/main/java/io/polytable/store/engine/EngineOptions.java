package io.polytable.store.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The engine's options.
 *
 * @param rowMemoryBytes heap for fresh and hot rows
 * @param blockMemoryBytes RocksDB's block cache, its write buffers included
 * @param feedMemoryBytes heap for change feeds
 * @param generationBytes the size at which a generation is sealed
 * @param generationAge the age at which even a small generation is sealed
 * @param lagBytesMax the state is flushed when a replay would need to read more of the log than this
 * @param roomWait how long a commit waits for space in memory before it is refused
 * @param clock the clock for the expiry of rows
 * @param timing the pace of background work
 */
public record EngineOptions(
        DurabilityMode durability,
        long rowMemoryBytes,
        long blockMemoryBytes,
        long feedMemoryBytes,
        long generationBytes,
        Duration generationAge,
        long lagBytesMax,
        int backgroundJobs,
        Duration roomWait,
        InstantSource clock,
        Timing timing) {
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
            256L << 20,
            256L << 20,
            128L << 20,
            96L << 20,
            Duration.ofSeconds(5),
            256L << 20,
            2,
            Duration.ofSeconds(120),
            InstantSource.system(),
            Timing.DEFAULT);

    public EngineOptions withDurability(DurabilityMode mode) {
        return new EngineOptions(
                mode,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                clock,
                timing);
    }

    public EngineOptions withMemory(long rowBytes, long blockBytes) {
        return new EngineOptions(
                durability,
                rowBytes,
                blockBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                clock,
                timing);
    }

    public EngineOptions withFeedMemory(long bytes) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                bytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                clock,
                timing);
    }

    public EngineOptions withGenerations(long bytes, Duration age) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                bytes,
                age,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                clock,
                timing);
    }

    public EngineOptions withLagBytesMax(long bytes) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                bytes,
                backgroundJobs,
                roomWait,
                clock,
                timing);
    }

    public EngineOptions withRoomWait(Duration most) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                most,
                clock,
                timing);
    }

    public EngineOptions withClock(InstantSource other) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                other,
                timing);
    }

    public EngineOptions withTiming(Timing other) {
        return new EngineOptions(
                durability,
                rowMemoryBytes,
                blockMemoryBytes,
                feedMemoryBytes,
                generationBytes,
                generationAge,
                lagBytesMax,
                backgroundJobs,
                roomWait,
                clock,
                other);
    }
}
