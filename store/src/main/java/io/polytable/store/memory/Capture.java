package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.store.merge.Source;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** One partition's fresh rows as they were at a moment. */
public final class Capture implements AutoCloseable {
    private final Generation growing;
    private final List<PartitionRows> parts;
    private final RangeTombstones tombstones;
    private final long applied;
    private final Pins.Pin pin;

    /** @param applied the number of the last generation that the state has */
    Capture(Generation growing, List<PartitionRows> parts, RangeTombstones tombstones, long applied, Pins.Pin pin) {
        this.pin = pin;
        this.growing = growing;
        this.parts = parts;
        this.tombstones = tombstones;
        this.applied = applied;
    }

    /**
     * Whether the state can have moved beyond this moment. Ask after the state's own snapshot was taken: if so, that
     * snapshot may show what came later, and both must be taken anew.
     */
    public boolean isOvertaken() {
        return growing.isApplyStarted();
    }

    /** The fresh rows of the range, newest first, and the state's rows beneath them. */
    public List<Source> over(Source state, KeyRange range, Direction direction) {
        List<Source> sources = new ArrayList<>();
        for (PartitionRows part : parts) {
            for (Run run : part.sorted()) {
                sources.add(new RunSource(part.generation(), run, RowSorter.NEWEST, range, direction, tombstones));
            }
        }
        sources.add(HidingSource.over(state, tombstones, applied, direction));
        return sources;
    }

    /** Nobody looks at the rows any more. */
    @Override
    public void close() {
        pin.close();
    }
}
