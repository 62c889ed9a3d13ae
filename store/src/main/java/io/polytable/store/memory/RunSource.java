package io.polytable.store.memory;

import io.polytable.table.ByteSlice;
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
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    RunSource(Generation generation, Run sorted, KeyRange range, Direction direction, RangeTombstones tombstones) {
        this.generation = generation;
        spots = sorted.spots();
        this.tombstones = tombstones;
        int low = lowerBound(range.from(), 0, spots.length);
        int high = range.to().isEmpty() ? spots.length : lowerBound(range.to(), low, spots.length);
        boolean forward = direction == Direction.FORWARD;
        step = forward ? 1 : -1;
        at = forward ? low - 1 : high;
        end = forward ? Math.max(low, high) : Math.min(low, high) - 1;
    }

    /** The first row at or above the key between the two numbers. */
    private int lowerBound(Bytes bound, int from, int to) {
        int low = from;
        int high = Math.max(from, to);
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
        generation.row(row, spots[at]);
        key.set(row.array(), row.keyOffset(), row.keyLength());
        return true;
    }

    @Override
    public boolean seek(Bytes target) {
        at = step > 0 ? firstFrom(target) - 1 : lastUpTo(target) + 1;
        return next();
    }

    /** The first row at or above the key, in steps that double: what is sought is mostly near. */
    private int firstFrom(Bytes target) {
        int low = at + 1;
        int reach = 1;
        while (low + reach < end && compare(low + reach, target) < 0) {
            low += reach;
            reach *= 2;
        }
        return lowerBound(target, low, Math.min(low + reach, end));
    }

    /** The last row at or below the key, likewise. */
    private int lastUpTo(Bytes target) {
        int high = at - 1;
        int reach = 1;
        while (high - reach > end && compare(high - reach, target) > 0) {
            high -= reach;
            reach *= 2;
        }
        int from = lowerBound(target, Math.max(high - reach, end + 1), high + 1);
        return from <= high && compare(from, target) == 0 ? from : from - 1;
    }

    private int compare(int number, Bytes target) {
        return generation.row(row, spots[number]).key().compareTo(target);
    }

    @Override
    public Bytes key() {
        return row.key();
    }

    @Override
    public ByteSlice keySlice() {
        return key;
    }

    @Override
    public boolean isDelete() {
        return row.op() == EncodedRow.DELETE
                || (!tombstones.isEmpty() && tombstones.hides(row.key(), generation.address(spots[at])));
    }

    @Override
    public Bytes value() {
        return row.value();
    }

    @Override
    public ByteSlice valueSlice() {
        return value.set(row.array(), row.valueOffset(), row.valueLength());
    }

    @Override
    public void close() {}
}
