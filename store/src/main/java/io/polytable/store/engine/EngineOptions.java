package io.polytable.store.engine;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How an engine works.
 *
 * @param rowMemoryBytes for fresh and hot rows on the heap
 * @param blockMemoryBytes for RocksDB's block cache, its write buffers included
 * @param feedMemoryBytes for change feeds, on the heap
 * @param generationBytes how much is applied to the state as one
 * @param generationAge a generation is applied after so long even if it is small
 * @param lagBytesMax the state is flushed when a replay would have to read more than this
 * @param roomWait so long a commit waits for room in memory before it is refused
 * @param clock by which rows expire
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
        InstantSource clock) {
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
            InstantSource.system());

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
                clock);
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
                clock);
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
                clock);
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
                clock);
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
                clock);
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
                clock);
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
                other);
    }
}
