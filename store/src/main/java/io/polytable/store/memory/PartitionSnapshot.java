package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.store.merge.Source;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** A point-in-time view of one partition's fresh rows, for a cursor within the partition. */
public final class PartitionSnapshot implements AutoCloseable {
    private final Generation growing;
    private final List<PartitionRows> parts;
    private final RangeTombstones tombstones;
    private final long applied;
    private final Pins.Pin pin;

    /** @param applied the last generation that the state has */
    PartitionSnapshot(
            Generation growing, List<PartitionRows> parts, RangeTombstones tombstones, long applied, Pins.Pin pin) {
        this.pin = pin;
        this.growing = growing;
        this.parts = parts;
        this.tombstones = tombstones;
        this.applied = applied;
    }

    /**
     * Whether the state may have moved past this snapshot. Ask after taking the state's own snapshot: if true, that one
     * may show later commits, and both must be taken again.
     */
    public boolean isOvertaken() {
        return growing.isApplyStarted();
    }

    /** The fresh rows of the range, newest first, and below them the state's rows. */
    public List<Source> over(Source state, KeyRange range, Direction direction) {
        List<Source> sources = new ArrayList<>();
        for (PartitionRows part : parts) {
            for (Run run : part.sorted()) {
                sources.add(new RunSource(part.generation(), run, RowSorter.NEWEST, range, direction, tombstones));
            }
        }
        sources.add(TombstoneFilter.over(state, tombstones, applied, direction));
        return sources;
    }

    @Override
    public void close() {
        pin.close();
    }
}
