package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import java.util.Arrays;

/** The fences of one level under one fence of the next level, or all fences of the highest level, in order. */
final class FencePage {
    private final int level;
    private Fence[] fences;

    /**
     * The scores of the fences' places, as numbers whose signed order is that of the places. Searching them stays
     * within one array; comparing the places themselves follows a pointer for each.
     */
    private long[] scores;

    private int size;

    FencePage(int level, int capacity) {
        this.level = level;
        this.fences = new Fence[capacity];
        this.scores = new long[capacity];
    }

    int level() {
        return level;
    }

    int size() {
        return size;
    }

    Fence at(int index) {
        return fences[index];
    }

    /** The index of the fence that covers the place: the last one at or before it. */
    int covering(Bytes place) {
        long score = SortKeys.comparableScore(place);
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            boolean covers =
                    scores[middle] == score ? fences[middle].place.compareTo(place) <= 0 : scores[middle] < score;
            if (covers) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The number of elements that the fences before this one cover. */
    long elementsBefore(int index) {
        long elements = 0;
        for (int i = 0; i < index; i++) {
            elements += fences[i].elements();
        }
        return elements;
    }

    long elements() {
        return elementsBefore(size);
    }

    void add(Fence fence) {
        insert(size, fence);
    }

    void insert(int index, Fence fence) {
        if (size == fences.length) {
            resize(size + (size >> 1) + 2);
        }
        System.arraycopy(fences, index, fences, index + 1, size - index);
        System.arraycopy(scores, index, scores, index + 1, size - index);
        fences[index] = fence;
        scores[index] = SortKeys.comparableScore(fence.place);
        size++;
    }

    void remove(int index) {
        size--;
        System.arraycopy(fences, index + 1, fences, index, size - index);
        System.arraycopy(scores, index + 1, scores, index, size - index);
    }

    /** Removes the upper half and answers it as a page of its own. */
    FencePage split() {
        int kept = size / 2;
        FencePage upper = new FencePage(level, size);
        for (int i = kept; i < size; i++) {
            upper.add(fences[i]);
        }
        size = kept;
        // Exactly as long as needed: a slot after the last one would keep a fence of the other half alive.
        resize(kept);
        return upper;
    }

    private void resize(int capacity) {
        fences = Arrays.copyOf(fences, capacity);
        scores = Arrays.copyOf(scores, capacity);
    }

    /** Appends the fences of the page that follows. */
    void merge(FencePage next) {
        for (int i = 0; i < next.size; i++) {
            add(next.fences[i]);
        }
    }
}
