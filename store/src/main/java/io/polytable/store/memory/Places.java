package io.polytable.store.memory;

import java.util.Arrays;

/** A growing list of places. Whoever took the array and the size under the append mutex may read that part for ever. */
final class Places {
    private int[] array = new int[4];
    private int size;

    void add(int place) {
        if (size == array.length) {
            array = Arrays.copyOf(array, size * 2);
        }
        array[size++] = place;
    }

    int[] array() {
        return array;
    }

    int size() {
        return size;
    }
}
