package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.write.WriteSet;
import java.util.Arrays;

/**
 * The layout of the fences of a collection that is written whole. Their number and positions on each level follow from
 * the number of elements, so the rows can be written while the elements pass in order.
 */
public final class FencePlan {
    /** The number of fences on each level; on level zero, of elements. */
    private final long[] counts;

    private long passed;

    public FencePlan(long elements, FenceLimits limits) {
        int levels = 0;
        for (long count = elements; count > limits.most(); count /= limits.usual()) {
            levels++;
        }
        counts = new long[levels + 1];
        counts[0] = elements;
        for (int level = 1; level <= levels; level++) {
            counts[level] = counts[level - 1] / limits.usual();
        }
    }

    public int levels() {
        return counts.length - 1;
    }

    /** Takes the next element in order: writes the rows of the fences that begin with it. */
    public void pass(WriteSet work, FenceRows rows, Bytes place) {
        long child = passed;
        for (int level = 1; level < counts.length; level++) {
            long index = fenceOf(level, child);
            if (child != firstChild(level, index)) {
                break;
            }
            long children = firstChild(level, index + 1) - child;
            long elements = firstElement(level, index + 1) - passed;
            rows.put(work, level, passed == 0 ? SortKeys.START : place, elements, (int) children);
            child = index;
        }
        passed++;
    }

    /** Distributes children evenly: fences of one level differ by one at most. */
    private long firstChild(int level, long index) {
        return Math.floorDiv(multiply(index, counts[level - 1]), counts[level]);
    }

    private long fenceOf(int level, long child) {
        long index = Math.min(counts[level] - 1, multiply(child, counts[level]) / counts[level - 1]);
        // The division rounds down in both directions.
        while (firstChild(level, index + 1) <= child) {
            index++;
        }
        return index;
    }

    private long firstElement(int level, long index) {
        long child = index;
        for (int below = level; below > 0; below--) {
            child = firstChild(below, child);
        }
        return child;
    }

    private static long multiply(long one, long other) {
        return Math.multiplyExact(one, other);
    }

    @Override
    public String toString() {
        return Arrays.toString(counts);
    }
}
