package io.polytable.store.memory;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;

/** The state's rows without those that a pending range delete covers. */
final class HidingSource implements Source {
    /** Covered rows that it passes one by one before it seeks the end of what covers them: a seek costs as much as some steps. */
    private static final int STEPS_MAX = 8;

    private final Source source;
    private final RangeTombstones pending;
    private final Direction direction;

    HidingSource(Source source, RangeTombstones pending, Direction direction) {
        this.source = source;
        this.pending = pending;
        this.direction = direction;
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
        while (there && pending.covers(source.key())) {
            there = ++steps < STEPS_MAX ? source.next() : seekBeyond();
        }
        return there;
    }

    /** A flush deletes a million rows with one range delete: whoever scans the table does not pass them one by one. */
    private boolean seekBeyond() {
        RangeTombstones.Stretch covered = pending.around(source.key());
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
