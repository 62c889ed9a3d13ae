package io.polytable.cells.tables;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How a cell store works.
 *
 * @param clock the store's time, for timestamps and times to live
 * @param nonceLife how long a nonce is remembered
 * @param compactionPause how long the background waits between two steps; zero for no background at all
 * @param compactionCells how many stored cells a step looks at
 * @param markerLife after so long since the last time, the background also removes delete markers
 */
public record CellStoreOptions(
        InstantSource clock, Duration nonceLife, Duration compactionPause, int compactionCells, Duration markerLife) {
    public static final CellStoreOptions DEFAULT = new CellStoreOptions(
            InstantSource.system(), Duration.ofMinutes(30), Duration.ofSeconds(1), 10_000, Duration.ofDays(7));

    public CellStoreOptions withClock(InstantSource newClock) {
        return new CellStoreOptions(newClock, nonceLife, compactionPause, compactionCells, markerLife);
    }

    /** Compaction only when it is asked for. */
    public CellStoreOptions withoutBackground() {
        return new CellStoreOptions(clock, nonceLife, Duration.ZERO, compactionCells, markerLife);
    }

    public CellStoreOptions withCompaction(Duration pause, int cells) {
        return new CellStoreOptions(clock, nonceLife, pause, cells, markerLife);
    }

    public CellStoreOptions withNonceLife(Duration life) {
        return new CellStoreOptions(clock, life, compactionPause, compactionCells, markerLife);
    }
}
