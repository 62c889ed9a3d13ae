package io.polytable.store.memory;

import io.polytable.table.EncodedRow;
import java.util.Arrays;

/**
 * Sorts rows of one table by key and keeps of each key only the newest. Five bytes behind the keys' common prefix,
 * packed with the row's number into a long, let a primitive sort do most of the work without touching the keys.
 */
final class RowSorter {
    private static final int NUMBER_BITS = 24;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    /** Insertion sort is quicker for so few, and scans right after a write sort few. */
    private static final int INSERTION_MAX = 12;

    private final Generation generation;
    private final int skipMax;
    private final EncodedRow left = new EncodedRow();
    private final EncodedRow right = new EncodedRow();

    /** Runs that shall be merged skip the same bytes: no more than {@code skipMax}, though they might share more. */
    RowSorter(Generation generation, int skipMax) {
        this.generation = generation;
        this.skipMax = skipMax;
    }

    /** The places from {@code from} to {@code to}, which are in order of commit. */
    Run sort(int[] places, int from, int to) {
        int count = to - from;
        if (count == 0) {
            return Run.EMPTY;
        }
        if (count > NUMBER_MASK) {
            int middle = (from + to) >>> 1;
            return merge(sort(places, from, middle), sort(places, middle, to));
        }
        int skip = commonPrefix(places, from, to);
        long[] prefixes = new long[count];
        for (int i = 0; i < count; i++) {
            prefixes[i] = prefix(places[from + i], skip);
        }
        int[] result = Arrays.copyOfRange(places, from, to);
        if (count <= INSERTION_MAX) {
            insertionSort(prefixes, result, 0, count);
            return cut(skip, prefixes, result, newestOnly(prefixes, result, 0, count, 0));
        }
        return packedSort(skip, prefixes, result);
    }

    private Run packedSort(int skip, long[] unsorted, int[] places) {
        long[] packed = new long[places.length];
        for (int i = 0; i < packed.length; i++) {
            // Flipping the sign makes the order of signed numbers that of the bytes.
            packed[i] = ((unsorted[i] >>> NUMBER_BITS << NUMBER_BITS) | i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(packed);
        long[] prefixes = new long[packed.length];
        int[] sorted = new int[packed.length];
        for (int i = 0; i < packed.length; i++) {
            int number = (int) packed[i] & NUMBER_MASK;
            prefixes[i] = unsorted[number];
            sorted[i] = places[number];
        }
        int kept = 0;
        for (int start = 0; start < packed.length; ) {
            int end = start + 1;
            while (end < packed.length && packed[end] >>> NUMBER_BITS == packed[start] >>> NUMBER_BITS) {
                end++;
            }
            sortTies(prefixes, sorted, start, end);
            kept = newestOnly(prefixes, sorted, start, end, kept);
            start = end;
        }
        return cut(skip, prefixes, sorted, kept);
    }

    private static Run cut(int skip, long[] prefixes, int[] places, int size) {
        return size == places.length
                ? new Run(skip, prefixes, places)
                : new Run(skip, Arrays.copyOf(prefixes, size), Arrays.copyOf(places, size));
    }

    private int commonPrefix(int[] places, int from, int to) {
        generation.row(left, places[from]);
        int common = Math.min(skipMax, left.keyLength());
        for (int i = from + 1; i < to && common > 0; i++) {
            generation.row(right, places[i]);
            int most = Math.min(common, right.keyLength());
            int differs = mismatch(most);
            common = differs < 0 ? most : differs;
        }
        return common;
    }

    private int mismatch(int length) {
        return Arrays.mismatch(
                left.array(),
                left.keyOffset(),
                left.keyOffset() + length,
                right.array(),
                right.keyOffset(),
                right.keyOffset() + length);
    }

    private long prefix(int place, int skip) {
        generation.row(left, place);
        long prefix = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            int at = skip + i;
            prefix = (prefix << Byte.SIZE) | (at < left.keyLength() ? left.array()[left.keyOffset() + at] & 0xff : 0);
        }
        return prefix;
    }

    /** Rows whose packed bytes are equal, in order of commit. */
    private void sortTies(long[] prefixes, int[] places, int start, int end) {
        if (end - start <= INSERTION_MAX) {
            insertionSort(prefixes, places, start, end);
            return;
        }
        Integer[] boxed = new Integer[end - start];
        Arrays.setAll(boxed, i -> start + i);
        Arrays.sort(boxed, (a, b) -> compare(prefixes[a], places[a], prefixes[b], places[b]));
        long[] prefixesThen = Arrays.copyOfRange(prefixes, start, end);
        int[] placesThen = Arrays.copyOfRange(places, start, end);
        for (int i = start; i < end; i++) {
            prefixes[i] = prefixesThen[boxed[i - start] - start];
            places[i] = placesThen[boxed[i - start] - start];
        }
    }

    private void insertionSort(long[] prefixes, int[] places, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            long prefix = prefixes[i];
            int place = places[i];
            int at = i;
            while (at > start && compare(prefixes[at - 1], places[at - 1], prefix, place) > 0) {
                prefixes[at] = prefixes[at - 1];
                places[at] = places[at - 1];
                at--;
            }
            prefixes[at] = prefix;
            places[at] = place;
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

    /**
     * Moves what is to be kept of a stretch that may have equal keys in it down to {@code to}; answers the end of that.
     * All sorts above are stable: of equal keys the last is the newest.
     */
    private int newestOnly(long[] prefixes, int[] sorted, int start, int end, int to) {
        int kept = to;
        for (int i = start; i < end; i++) {
            if (i + 1 == end || compare(prefixes[i], sorted[i], prefixes[i + 1], sorted[i + 1]) != 0) {
                prefixes[kept] = prefixes[i];
                sorted[kept++] = sorted[i];
            }
        }
        return kept;
    }

    Run merge(Run older, Run newer) {
        if (!shareSkipped(older, newer)) {
            return merge(skippingNothing(older), skippingNothing(newer));
        }
        int most = older.size() + newer.size();
        long[] prefixes = new long[most];
        int[] places = new int[most];
        int o = 0;
        int n = 0;
        int size = 0;
        while (o < older.size() || n < newer.size()) {
            int order = order(older, o, newer, n);
            if (order < 0) {
                prefixes[size] = older.prefixes()[o];
                places[size++] = older.places()[o++];
            } else {
                prefixes[size] = newer.prefixes()[n];
                places[size++] = newer.places()[n++];
                o += order == 0 ? 1 : 0;
            }
        }
        return cut(older.skip(), prefixes, places, size);
    }

    private int order(Run older, int o, Run newer, int n) {
        if (o == older.size()) {
            return 1;
        }
        if (n == newer.size()) {
            return -1;
        }
        return compare(older.prefixes()[o], older.places()[o], newer.prefixes()[n], newer.places()[n]);
    }

    private boolean shareSkipped(Run a, Run b) {
        if (a.size() == 0 || b.size() == 0 || a.skip() != b.skip()) {
            return a.skip() == b.skip();
        }
        generation.row(left, a.places()[0]);
        generation.row(right, b.places()[0]);
        return mismatch(a.skip()) < 0;
    }

    private Run skippingNothing(Run run) {
        long[] prefixes = new long[run.size()];
        Arrays.setAll(prefixes, i -> prefix(run.places()[i], 0));
        return new Run(0, prefixes, run.places());
    }
}
