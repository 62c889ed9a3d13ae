package io.polytable.store.memory;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;

/** A filter over the state's rows that skips those covered by range deletes not yet applied to the state. */
final class TombstoneFilter implements Source {
    /** Covered rows that it steps over before it seeks past the range delete: a seek costs as much as several steps. */
    private static final int STEPS_MAX = 8;

    private final Source source;
    private final RangeTombstones tombstones;
    private final long applied;
    private final Direction direction;

    private TombstoneFilter(Source source, RangeTombstones tombstones, long applied, Direction direction) {
        this.source = source;
        this.tombstones = tombstones;
        this.applied = applied;
        this.direction = direction;
    }

    /**
     * Filters only if a tombstone may hide rows of the state.
     *
     * @param applied the last generation that the state had when the tombstones were taken
     */
    static Source over(Source state, RangeTombstones tombstones, long applied, Direction direction) {
        return tombstones.mayHideState(applied) ? new TombstoneFilter(state, tombstones, applied, direction) : state;
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

    /** FLUSHDB deletes a million rows with one range delete: a scan must not step over them one by one. */
    private boolean seekBeyond() {
        // Some delete over the key is missing in the state, hence the newest one is too, and it hides its whole range.
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
