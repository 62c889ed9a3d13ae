package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.table.write.EncodedRow;
import java.util.Arrays;

/**
 * Sorts rows of one table of a generation by key and keeps, per key, the newest row and those that an open snapshot may
 * need. Five bytes after the keys' common prefix are packed with the row's number into a long, so a primitive sort does
 * most of the work without touching the keys.
 */
final class RowSorter {
    /** For {@code keepFrom}: no snapshot needs older rows. */
    static final int NEWEST = -1;

    private static final int NUMBER_BITS = 24;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    /** Insertion sort is faster for this few, and a scan right after a write sorts few. */
    private static final int INSERTION_MAX = 12;

    private final Generation generation;
    private final int skipMax;
    private final int keepFrom;
    private final EncodedRow left = new EncodedRow();
    private final EncodedRow right = new EncodedRow();

    /**
     * @param skipMax the longest common prefix that a run skips
     * @param keepFrom a row is dropped if a newer row of its key lies below this spot
     */
    RowSorter(Generation generation, int skipMax, int keepFrom) {
        this.generation = generation;
        this.skipMax = skipMax;
        this.keepFrom = keepFrom;
    }

    /** Sorts the spots in [from, to), which are in commit order. */
    Run sort(int[] spots, int from, int to) {
        int count = to - from;
        if (count == 0) {
            return Run.EMPTY;
        }
        if (count > NUMBER_MASK) {
            int middle = (from + to) >>> 1;
            return merge(sort(spots, from, middle), sort(spots, middle, to));
        }
        int skip = commonPrefix(spots, from, to);
        long[] prefixes = new long[count];
        for (int i = 0; i < count; i++) {
            prefixes[i] = prefix(spots[from + i], skip);
        }
        int end = spots[to - 1] + 1;
        if (count <= INSERTION_MAX) {
            int[] sorted = Arrays.copyOfRange(spots, from, to);
            insertionSort(prefixes, sorted, 0, count);
            return kept(skip, prefixes, sorted, count, end);
        }
        return packedSort(skip, prefixes, spots, from, end);
    }

    private Run packedSort(int skip, long[] unsorted, int[] spots, int from, int end) {
        long[] packed = new long[unsorted.length];
        for (int i = 0; i < packed.length; i++) {
            // Flipping the sign bit makes signed order equal unsigned byte order.
            packed[i] = ((unsorted[i] >>> NUMBER_BITS << NUMBER_BITS) | i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(packed);
        long[] prefixes = new long[packed.length];
        int[] sorted = new int[packed.length];
        for (int i = 0; i < packed.length; i++) {
            int number = (int) packed[i] & NUMBER_MASK;
            prefixes[i] = unsorted[number];
            sorted[i] = spots[from + number];
        }
        for (int start = 0; start < packed.length; ) {
            int next = start + 1;
            while (next < packed.length && packed[next] >>> NUMBER_BITS == packed[start] >>> NUMBER_BITS) {
                next++;
            }
            sortTies(prefixes, sorted, start, next);
            start = next;
        }
        return kept(skip, prefixes, sorted, packed.length, end);
    }

    private int commonPrefix(int[] spots, int from, int to) {
        generation.row(left, spots[from]);
        int common = Math.min(skipMax, left.keyLength());
        for (int i = from + 1; i < to && common > 0; i++) {
            generation.row(right, spots[i]);
            common = common(common);
        }
        return common;
    }

    /** The length of the common prefix of both views' keys, at most {@code most}. */
    private int common(int most) {
        int length = Math.min(most, Math.min(left.keyLength(), right.keyLength()));
        int differs = Arrays.mismatch(
                left.array(),
                left.keyOffset(),
                left.keyOffset() + length,
                right.array(),
                right.keyOffset(),
                right.keyOffset() + length);
        return differs < 0 ? length : differs;
    }

    private long prefix(int spot, int skip) {
        generation.row(left, spot);
        long prefix = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            int at = skip + i;
            prefix = (prefix << Byte.SIZE) | (at < left.keyLength() ? left.array()[left.keyOffset() + at] & 0xff : 0);
        }
        return prefix;
    }

    /** Sorts rows with equal packed bytes, given in commit order: a merge sort that skips halves already in order. */
    private void sortTies(long[] prefixes, int[] spots, int start, int end) {
        if (end - start <= INSERTION_MAX) {
            insertionSort(prefixes, spots, start, end);
            return;
        }
        int middle = (start + end) >>> 1;
        sortTies(prefixes, spots, start, middle);
        sortTies(prefixes, spots, middle, end);
        if (compare(prefixes[middle - 1], spots[middle - 1], prefixes[middle], spots[middle]) > 0) {
            mergeTies(prefixes, spots, start, middle, end);
        }
    }

    private void mergeTies(long[] prefixes, int[] spots, int start, int middle, int end) {
        long[] firstPrefixes = Arrays.copyOfRange(prefixes, start, middle);
        int[] firstSpots = Arrays.copyOfRange(spots, start, middle);
        int a = 0;
        int b = middle;
        for (int to = start; a < firstSpots.length; to++) {
            if (b == end || compare(firstPrefixes[a], firstSpots[a], prefixes[b], spots[b]) <= 0) {
                prefixes[to] = firstPrefixes[a];
                spots[to] = firstSpots[a++];
            } else {
                prefixes[to] = prefixes[b];
                spots[to] = spots[b++];
            }
        }
    }

    private void insertionSort(long[] prefixes, int[] spots, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            long prefix = prefixes[i];
            int spot = spots[i];
            int at = i;
            while (at > start && compare(prefixes[at - 1], spots[at - 1], prefix, spot) > 0) {
                prefixes[at] = prefixes[at - 1];
                spots[at] = spots[at - 1];
                at--;
            }
            prefixes[at] = prefix;
            spots[at] = spot;
        }
    }

    private int compare(long prefixA, int a, long prefixB, int b) {
        return prefixA == prefixB ? compare(a, b) : Long.compareUnsigned(prefixA, prefixB);
    }

    private int compare(int a, int b) {
        generation.row(left, a);
        generation.row(right, b);
        return Arrays.compareUnsigned(
                left.array(),
                left.keyOffset(),
                left.keyOffset() + left.keyLength(),
                right.array(),
                right.keyOffset(),
                right.keyOffset() + right.keyLength());
    }

    /** Drops superseded rows from arrays sorted by key and age. Reuses the arrays. */
    private Run kept(int skip, long[] prefixes, int[] spots, int count, int end) {
        int size = 0;
        boolean single = true;
        for (int i = 0; i < count; i++) {
            boolean again = size > 0 && compare(prefixes[size - 1], spots[size - 1], prefixes[i], spots[i]) == 0;
            if (again && Integer.compareUnsigned(spots[i], keepFrom) < 0) {
                size--;
            } else if (again) {
                single = false;
            }
            prefixes[size] = prefixes[i];
            spots[size++] = spots[i];
        }
        return Run.cut(skip, prefixes, spots, size, single, end);
    }

    /** Merges two runs; all rows of one are older than all rows of the other. */
    Run merge(Run older, Run newer) {
        if (older.isEmpty() || newer.isEmpty()) {
            return older.isEmpty() ? newer : older;
        }
        generation.row(left, older.spots()[0]);
        generation.row(right, newer.spots()[0]);
        int skip = common(Math.min(older.skip(), newer.skip()));
        return mergeAligned(skipping(older, skip), skipping(newer, skip));
    }

    private Run mergeAligned(Run older, Run newer) {
        int most = older.size() + newer.size();
        long[] prefixes = new long[most];
        int[] spots = new int[most];
        int o = 0;
        int n = 0;
        for (int i = 0; i < most; i++) {
            if (n == newer.size() || (o < older.size() && isInOrder(older, o, newer, n))) {
                prefixes[i] = older.prefixes()[o];
                spots[i] = older.spots()[o++];
            } else {
                prefixes[i] = newer.prefixes()[n];
                spots[i] = newer.spots()[n++];
            }
        }
        return kept(older.skip(), prefixes, spots, most, newer.end());
    }

    private boolean isInOrder(Run older, int o, Run newer, int n) {
        return compare(older.prefixes()[o], older.spots()[o], newer.prefixes()[n], newer.spots()[n]) <= 0;
    }

    private Run skipping(Run run, int skip) {
        if (run.skip() == skip) {
            return run;
        }
        long[] prefixes = new long[run.size()];
        Arrays.setAll(prefixes, i -> prefix(run.spots()[i], skip));
        return new Run(skip, prefixes, run.spots(), run.single(), run.end());
    }

    /** Per key, the newest row with a spot in [from, bound). */
    Run between(Run run, int from, int bound) {
        if (from == 0 && run.isAsOf(bound)) {
            return run;
        }
        long[] prefixes = new long[run.size()];
        int[] spots = new int[run.size()];
        int size = 0;
        for (int i = 0; i < run.size(); i++) {
            int spot = run.spots()[i];
            if (Integer.compareUnsigned(spot, from) >= 0 && Integer.compareUnsigned(spot, bound) < 0) {
                long prefix = run.prefixes()[i];
                boolean again =
                        !run.single() && size > 0 && compare(prefixes[size - 1], spots[size - 1], prefix, spot) == 0;
                size -= again ? 1 : 0;
                prefixes[size] = prefix;
                spots[size++] = spot;
            }
        }
        return Run.cut(run.skip(), prefixes, spots, size, true, bound);
    }
}
