package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.EncodedRow;
import io.polytable.table.KeyRange;

/** The part of a sorted run that lies in a range. A row older than a range delete that covers it counts as deleted. */
final class RunSource implements Source {
    private final Generation generation;
    private final int[] spots;
    private final RangeTombstones tombstones;
    private final EncodedRow row = new EncodedRow();
    private final int step;
    private final int end;
    private int at;
    private Bytes key = Bytes.EMPTY;

    RunSource(Generation generation, Run sorted, KeyRange range, Direction direction, RangeTombstones tombstones) {
        this.generation = generation;
        spots = sorted.spots();
        this.tombstones = tombstones;
        int low = lowerBound(range.from());
        int high = range.to().isEmpty() ? spots.length : lowerBound(range.to());
        boolean forward = direction == Direction.FORWARD;
        step = forward ? 1 : -1;
        at = forward ? low - 1 : high;
        end = forward ? Math.max(low, high) : Math.min(low, high) - 1;
    }

    private int lowerBound(Bytes bound) {
        int low = 0;
        int high = spots.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (generation.row(row, spots[middle]).key().compareTo(bound) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public boolean next() {
        at += step;
        if (step > 0 ? at >= end : at <= end) {
            at -= step;
            return false;
        }
        key = generation.row(row, spots[at]).key();
        return true;
    }

    @Override
    public Bytes key() {
        return key;
    }

    @Override
    public boolean isDelete() {
        return row.op() == EncodedRow.DELETE
                || (!tombstones.isEmpty() && tombstones.hides(key, generation.address(spots[at])));
    }

    @Override
    public Bytes value() {
        return row.value();
    }

    @Override
    public void close() {}
}
