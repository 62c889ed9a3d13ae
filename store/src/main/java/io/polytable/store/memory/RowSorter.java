package io.polytable.store.memory;

import io.polytable.table.EncodedRow;
import java.util.Arrays;

/**
 * Sorts places of one table by key and keeps of each key only the newest. The five bytes behind the keys' common prefix,
 * packed with the row's number into a long, let a primitive sort do most of the work without touching the keys.
 */
final class RowSorter {
    private static final int NUMBER_BITS = 24;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    private static final int PREFIX_BYTES = 5;

    /** Insertion sort is quicker for so few, and scans right after a write sort few. */
    private static final int INSERTION_MAX = 12;

    private final Generation generation;
    private final EncodedRow left = new EncodedRow();
    private final EncodedRow right = new EncodedRow();

    RowSorter(Generation generation) {
        this.generation = generation;
    }

    /** The places from {@code from} to {@code to}, which are in order of commit. */
    int[] sort(int[] places, int from, int to) {
        int count = to - from;
        if (count > NUMBER_MASK) {
            int middle = (from + to) >>> 1;
            return merge(sort(places, from, middle), sort(places, middle, to));
        }
        int[] result = Arrays.copyOfRange(places, from, to);
        if (count <= INSERTION_MAX) {
            insertionSort(result, 0, count);
        } else {
            packedSort(result);
        }
        return newestOnly(result);
    }

    private void packedSort(int[] places) {
        int skip = commonPrefix(places);
        long[] packed = new long[places.length];
        for (int i = 0; i < places.length; i++) {
            packed[i] = (prefix(places[i], skip) << NUMBER_BITS) | i;
        }
        // The top bit of the prefix would be a sign: flip it for the sort.
        flipTopBit(packed);
        Arrays.sort(packed);
        flipTopBit(packed);
        int[] sorted = new int[places.length];
        for (int i = 0; i < packed.length; i++) {
            sorted[i] = places[(int) packed[i] & NUMBER_MASK];
        }
        for (int start = 0; start < packed.length; ) {
            int end = start + 1;
            while (end < packed.length && packed[end] >>> NUMBER_BITS == packed[start] >>> NUMBER_BITS) {
                end++;
            }
            sortTies(sorted, start, end);
            start = end;
        }
        System.arraycopy(sorted, 0, places, 0, places.length);
    }

    private static void flipTopBit(long[] packed) {
        for (int i = 0; i < packed.length; i++) {
            packed[i] ^= Long.MIN_VALUE;
        }
    }

    private int commonPrefix(int[] places) {
        generation.row(left, places[0]);
        int common = left.keyLength();
        for (int i = 1; i < places.length && common > 0; i++) {
            generation.row(right, places[i]);
            int most = Math.min(common, right.keyLength());
            int differs = Arrays.mismatch(
                    left.array(),
                    left.keyOffset(),
                    left.keyOffset() + most,
                    right.array(),
                    right.keyOffset(),
                    right.keyOffset() + most);
            common = differs < 0 ? most : differs;
        }
        return common;
    }

    private long prefix(int place, int skip) {
        generation.row(left, place);
        long prefix = 0;
        for (int i = 0; i < PREFIX_BYTES; i++) {
            int at = skip + i;
            prefix = (prefix << 8) | (at < left.keyLength() ? left.array()[left.keyOffset() + at] & 0xff : 0);
        }
        return prefix;
    }

    /** Rows whose packed bytes are equal, in order of commit. */
    private void sortTies(int[] places, int start, int end) {
        if (end - start <= INSERTION_MAX) {
            insertionSort(places, start, end);
            return;
        }
        Integer[] boxed = new Integer[end - start];
        for (int i = start; i < end; i++) {
            boxed[i - start] = places[i];
        }
        Arrays.sort(boxed, this::compare);
        for (int i = start; i < end; i++) {
            places[i] = boxed[i - start];
        }
    }

    private void insertionSort(int[] places, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            int place = places[i];
            int at = i;
            while (at > start && compare(places[at - 1], place) > 0) {
                places[at] = places[at - 1];
                at--;
            }
            places[at] = place;
        }
    }

    int compare(int a, int b) {
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

    /** All sorts above are stable: of equal keys the last is the newest. */
    private int[] newestOnly(int[] sorted) {
        int kept = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (kept > 0 && compare(sorted[kept - 1], sorted[i]) == 0) {
                kept--;
            }
            sorted[kept++] = sorted[i];
        }
        return FreshPartition.copyOf(sorted, kept);
    }

    int[] merge(int[] older, int[] newer) {
        int[] merged = new int[older.length + newer.length];
        int o = 0;
        int n = 0;
        int size = 0;
        while (o < older.length && n < newer.length) {
            int order = compare(older[o], newer[n]);
            if (order == 0) {
                o++;
            } else {
                merged[size++] = order < 0 ? older[o++] : newer[n++];
            }
        }
        while (o < older.length) {
            merged[size++] = older[o++];
        }
        while (n < newer.length) {
            merged[size++] = newer[n++];
        }
        return FreshPartition.copyOf(merged, size);
    }
}
