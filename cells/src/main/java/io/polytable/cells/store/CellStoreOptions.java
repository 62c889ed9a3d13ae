package io.polytable.cells.store;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The options of a cell store.
 *
 * @param clock the clock for timestamps and times to live
 * @param nonceLife how long a nonce is remembered
 * @param compactionPause the pause between two steps of background compaction; zero turns it off
 * @param compactionCells how many stored cells a step examines
 * @param markerLife the interval at which background compaction also removes delete markers
 */
public record CellStoreOptions(
        InstantSource clock, Duration nonceLife, Duration compactionPause, int compactionCells, Duration markerLife) {
    public static final CellStoreOptions DEFAULT = new CellStoreOptions(
            InstantSource.system(), Duration.ofMinutes(30), Duration.ofSeconds(1), 10_000, Duration.ofDays(7));

    public CellStoreOptions withClock(InstantSource newClock) {
        return new CellStoreOptions(newClock, nonceLife, compactionPause, compactionCells, markerLife);
    }

    /** Without background compaction. */
    public CellStoreOptions withoutBackground() {
        return new CellStoreOptions(clock, nonceLife, Duration.ZERO, compactionCells, markerLife);
    }

    public CellStoreOptions withCompaction(Duration pause, int cells) {
        return new CellStoreOptions(clock, nonceLife, pause, cells, markerLife);
    }
}
