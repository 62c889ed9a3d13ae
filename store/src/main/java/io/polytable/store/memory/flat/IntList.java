package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * A growing, append-only list of ints: offsets, spots or row numbers. A reader that learned the size under the append
 * mutex may read that many elements at any later time: elements never change, and a larger array is published only
 * after it holds them.
 */
public final class IntList {
    private static final int FIRST = 4;

    private volatile int[] array = new int[FIRST];
    private int size;

    /** Returns whether the array was full and has doubled. */
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
