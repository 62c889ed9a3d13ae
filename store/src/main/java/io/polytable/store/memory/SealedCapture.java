package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** All fresh rows as they were at a moment, in sealed generations. */
public final class SealedCapture {
    private final Generation growing;
    private final List<Generation> sealed;
    private final RangeTombstones[] tombstones;
    private final RangeTombstones[] pending;
    private final Pins pins;
    private final Pins.Pin pin;

    SealedCapture(
            Generation growing,
            List<Generation> sealed,
            RangeTombstones[] tombstones,
            RangeTombstones[] pending,
            Pins pins) {
        this.pins = pins;
        this.pin = pins.take();
        this.growing = growing;
        this.sealed = sealed;
        this.tombstones = tombstones;
        this.pending = pending;
    }

    /** As {@link Capture#isOvertaken()}. */
    public boolean isOvertaken() {
        return growing.isApplyStarted();
    }

    private static RangeTombstones of(RangeTombstones[] all, int table) {
        return table < all.length ? all[table] : RangeTombstones.NONE;
    }

    /** What the fresh rows say of the key. */
    public RowMemory.Found find(int table, Bytes key) {
        KeyRange justIt = KeyRange.between(key, key.concat(Bytes.of(new byte[1])));
        for (Generation generation : sealed) {
            RunSource source = source(generation, table, justIt, Direction.FORWARD);
            if (source.next()) {
                return source.isDelete() ? RowMemory.Found.ABSENT : RowMemory.Found.present(source.value());
            }
        }
        return of(pending, table).covers(key) ? RowMemory.Found.ABSENT : RowMemory.Found.nothing(0);
    }

    private RunSource source(Generation generation, int table, KeyRange range, Direction direction) {
        Run run = generation.sorted().getOrDefault(table, Run.EMPTY);
        return new RunSource(generation, run, range, direction, of(tombstones, table));
    }

    /** The fresh rows of the range, newest first, and the state's rows beneath them. */
    public List<Source> over(Source state, int table, KeyRange range, Direction direction) {
        List<Source> sources = new ArrayList<>();
        for (Generation generation : sealed) {
            sources.add(source(generation, table, range, direction));
        }
        RangeTombstones hiding = of(pending, table);
        sources.add(hiding.isEmpty() ? state : new HidingSource(state, hiding));
        return sources;
    }

    /** To be closed when nobody looks at the rows any more. */
    public Pins.Pin pin() {
        return pin;
    }

    /** For a cursor that may be open longer than the capture is. */
    public Pins.Pin anotherPin() {
        return pins.take();
    }
}
