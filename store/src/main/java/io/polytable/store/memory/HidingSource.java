package io.polytable.store.memory;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;

/** The state's rows without those that a range delete covers that the state does not have yet. */
final class HidingSource implements Source {
    /** Covered rows that it passes one by one before it seeks the end of what covers them: a seek costs as much as some steps. */
    private static final int STEPS_MAX = 8;

    private final Source source;
    private final RangeTombstones tombstones;
    private final long applied;
    private final Direction direction;

    private HidingSource(Source source, RangeTombstones tombstones, long applied, Direction direction) {
        this.source = source;
        this.tombstones = tombstones;
        this.applied = applied;
        this.direction = direction;
    }

    /**
     * Hides what the tombstones delete.
     *
     * @param applied the number of the last generation that the state had when the tombstones were taken
     */
    static Source over(Source state, RangeTombstones tombstones, long applied, Direction direction) {
        return tombstones.mayHideState(applied) ? new HidingSource(state, tombstones, applied, direction) : state;
    }

    @Override
    public boolean next() {
        return unhidden(source.next());
    }

    @Override
    public boolean seek(Bytes key) {
        return unhidden(source.seek(key));
    }

    private boolean unhidden(boolean any) {
        boolean there = any;
        int steps = 0;
        while (there && tombstones.hidesState(source.key(), applied)) {
            there = ++steps < STEPS_MAX ? source.next() : seekBeyond();
        }
        return there;
    }

    /** A flush deletes a million rows with one range delete: whoever scans the table does not pass them one by one. */
    private boolean seekBeyond() {
        // The newest delete over the key is one that the state lacks, as some delete over it is: all of its range is
        // hidden.
        RangeTombstones.Stretch covered = tombstones.around(source.key());
        if (direction == Direction.FORWARD) {
            return !covered.to().isEmpty() && source.seek(covered.to());
        }
        return source.keySlice().compareWith(covered.from()) > 0 ? source.seek(covered.from()) : source.next();
    }

    @Override
    public Bytes key() {
        return source.key();
    }

    @Override
    public ByteSlice keySlice() {
        return source.keySlice();
    }

    @Override
    public boolean isDelete() {
        return source.isDelete();
    }

    @Override
    public Bytes value() {
        return source.value();
    }

    @Override
    public ByteSlice valueSlice() {
        return source.valueSlice();
    }

    @Override
    public void close() {
        source.close();
    }
}
