package io.polytable.store.memory;

import java.util.Arrays;

/**
 * A growing list of numbers that say where rows are. Who knows under the append mutex how many there are may read so many
 * of them at any time later: those never change, and a larger array is published only when it holds them.
 */
final class Places {
    private static final int FIRST = 4;

    private volatile int[] array = new int[FIRST];
    private int size;

    /** Answers whether the list takes twice the memory now. */
    boolean add(int place) {
        int[] present = array;
        boolean full = size == present.length;
        if (full) {
            present = Arrays.copyOf(present, size * 2);
            array = present;
        }
        present[size++] = place;
        return full;
    }

    int bytes() {
        return array.length * Integer.BYTES;
    }

    int[] array() {
        return array;
    }

    int get(int index) {
        return array[index];
    }

    int size() {
        return size;
    }
}
