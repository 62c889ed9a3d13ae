package io.polytable.store.memory;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;

/** The state's rows without those that a range delete covers that the state does not have yet. */
final class HidingSource implements Source {
    private final Source source;
    private final RangeTombstones tombstones;
    private final long applied;

    private HidingSource(Source source, RangeTombstones tombstones, long applied) {
        this.source = source;
        this.tombstones = tombstones;
        this.applied = applied;
    }

    /**
     * Hides what the tombstones delete.
     *
     * @param applied the number of the last generation that the state had when the tombstones were taken
     */
    static Source over(Source state, RangeTombstones tombstones, long applied) {
        return tombstones.mayHideState(applied) ? new HidingSource(state, tombstones, applied) : state;
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
        while (there && tombstones.hidesState(source.key(), applied)) {
            there = source.next();
        }
        return there;
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
