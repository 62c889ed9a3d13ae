package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * A growing list of ints: offsets, spots or numbers of rows. Whoever learned the size under the append mutex may read that
 * many elements at any time later: elements never change, and a larger array is published only when it holds them.
 */
public final class IntList {
    private static final int FIRST = 4;

    private volatile int[] array = new int[FIRST];
    private int size;

    /** Answers whether the list takes twice the memory now. */
    public boolean add(int number) {
        int[] present = array;
        boolean full = size == present.length;
        if (full) {
            present = Arrays.copyOf(present, size * 2);
            array = present;
        }
        present[size++] = number;
        return full;
    }

    public int bytes() {
        return array.length * Integer.BYTES;
    }

    public int[] array() {
        return array;
    }

    public int get(int index) {
        return array[index];
    }

    public int size() {
        return size;
    }
}
