package io.polytable.redis.model.upkeep;

import java.util.Arrays;

/** The ids of all collections that a header points to, sorted; eight bytes each, since there may be very many. */
final class CollectionIds {
    private long[] ids = new long[1024];
    private int size;
    private boolean sorted = true;

    void add(long id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
        }
        sorted &= size == 0 || ids[size - 1] <= id;
        ids[size++] = id;
    }

    boolean contains(long id) {
        sort();
        return Arrays.binarySearch(ids, 0, size, id) >= 0;
    }

    /** Whether two headers point to it. */
    boolean isShared(long id) {
        sort();
        int at = Arrays.binarySearch(ids, 0, size, id);
        return at >= 0 && ((at > 0 && ids[at - 1] == id) || (at + 1 < size && ids[at + 1] == id));
    }

    private void sort() {
        if (!sorted) {
            Arrays.sort(ids, 0, size);
            sorted = true;
        }
    }
}
