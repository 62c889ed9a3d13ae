package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.write.EncodedRow;

/**
 * A source over the part of a sorted run that lies in a range. It shows per key the newest row below a spot, since a
 * shared run may hold later rows and several of one key. A row covered by a later range delete counts as deleted.
 */
final class RunSource implements Source {
    private final Generation generation;
    private final int[] spots;
    private final int bound;

    /** Whether every row of the run is visible. */
    private final boolean plain;

    private final boolean single;
    private final RangeTombstones tombstones;
    private final EncodedRow row = new EncodedRow();
    private final int step;
    private final int end;
    private int at;

    /** Whether it is on a row. */
    private boolean standing;

    /**
     * Rows up to {@link #hiddenEnd} with addresses below {@link #hiddenAddress} are deleted by a known range delete.
     */
    private long hiddenAddress;

    private int hiddenEnd;

    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    /** @param bound exclusive upper bound of visible spots */
    RunSource(
            Generation generation,
            Run sorted,
            int bound,
            KeyRange range,
            Direction direction,
            RangeTombstones tombstones) {
        this.generation = generation;
        this.bound = bound;
        plain = sorted.isAsOf(bound);
        single = sorted.single();
        spots = sorted.spots();
        this.tombstones = tombstones;
        int low = lowerBound(range.from(), 0, spots.length);
        int high = range.to().isEmpty() ? spots.length : lowerBound(range.to(), low, spots.length);
        boolean forward = direction == Direction.FORWARD;
        step = forward ? 1 : -1;
        at = forward ? low - 1 : high;
        end = forward ? Math.max(low, high) : Math.min(low, high) - 1;
    }

    /** The first row in [from, to) at or above the key. */
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
        if (step < 0 && !single && standing) {
            // In reverse, older rows of the same key follow.
            at = lastOfKey(at, -1);
        }
        return show(at + step);
    }

    /** Moves to the first row from the index on that is old enough and not known to be hidden. */
    private boolean show(int from) {
        int found = from;
        while (isInside(found) && (isTooNew(found) || isKnownHidden(found))) {
            found += step;
        }
        standing = isInside(found);
        if (!standing) {
            at = found - step;
            return false;
        }
        at = step > 0 && !single ? lastOfKey(found, 1) : found;
        generation.row(row, spots[at]);
        key.set(row.array(), row.keyOffset(), row.keyLength());
        return true;
    }

    private boolean isTooNew(int number) {
        return !plain && Integer.compareUnsigned(spots[number], bound) >= 0;
    }

    /**
     * Whether the range delete that hid an earlier row hides this one too. Such a row can be skipped instead of shown
     * as a delete: the same range delete hides whatever older sources have of its key.
     */
    private boolean isKnownHidden(int number) {
        return hiddenAddress > 0
                && (step > 0 ? number < hiddenEnd : number > hiddenEnd)
                && generation.address(spots[number]) < hiddenAddress;
    }

    private boolean isInside(int number) {
        return step > 0 ? number < end : number > end;
    }

    /** The last row of the same key in that direction that is old enough. */
    private int lastOfKey(int number, int by) {
        int last = number;
        while (isInside(last + by)
                && Integer.compareUnsigned(spots[last + by], bound) < 0
                && isSameKey(last, last + by)) {
            last += by;
        }
        return last;
    }

    private boolean isSameKey(int one, int other) {
        return generation
                .row(row, spots[one])
                .key()
                .equals(generation.row(row, spots[other]).key());
    }

    @Override
    public boolean seek(Bytes target) {
        return show(step > 0 ? firstFrom(target) : lastUpTo(target));
    }

    /** The first row at or above the key, by galloping search: the target is usually near. */
    private int firstFrom(Bytes target) {
        int low = at + 1;
        int reach = 1;
        while (low + reach < end && compare(low + reach, target) < 0) {
            low += reach;
            reach *= 2;
        }
        return lowerBound(target, low, Math.min(low + reach, end));
    }

    /** The last row at or below the key, by galloping search. */
    private int lastUpTo(Bytes target) {
        int high = at - 1;
        int reach = 1;
        while (high - reach > end && compare(high - reach, target) > 0) {
            high -= reach;
            reach *= 2;
        }
        int from = lowerBound(target, Math.max(high - reach, end + 1), high + 1);
        boolean equal = from <= high && compare(from, target) == 0;
        while (equal && !single && from < high && compare(from + 1, target) == 0) {
            from++;
        }
        return equal ? from : from - 1;
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
        if (row.op() == EncodedRow.DELETE) {
            return true;
        }
        boolean hidden = !tombstones.isEmpty() && tombstones.hides(row.key(), generation.address(spots[at]));
        if (hidden) {
            rememberHidden(row.key());
        }
        return hidden;
    }

    /**
     * Remembers the range delete, so that the following rows, a million after FLUSHDB, are skipped by address alone.
     */
    private void rememberHidden(Bytes covered) {
        RangeTombstones.Stretch stretch = tombstones.around(covered);
        hiddenAddress = stretch.address();
        if (step > 0) {
            hiddenEnd = stretch.to().isEmpty() ? end : firstFrom(stretch.to());
        } else {
            hiddenEnd = lastUpTo(stretch.from());
        }
        generation.row(row, spots[at]);
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
