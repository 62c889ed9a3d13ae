package io.polytable.redis.model.list;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The elements that a walk over a list has found: their indexes, and for a sparse list also their places. */
final class Hits {
    private final boolean keepsPlaces;
    private final List<Bytes> places = new ArrayList<>();
    private long[] indexes = new long[8];
    private int count;

    Hits(boolean keepsPlaces) {
        this.keepsPlaces = keepsPlaces;
    }

    void add(long index, Bytes place) {
        if (count == indexes.length) {
            indexes = Arrays.copyOf(indexes, 2 * count);
        }
        indexes[count++] = index;
        if (keepsPlaces) {
            places.add(place.copy());
        }
    }

    int count() {
        return count;
    }

    long index(int hit) {
        return indexes[hit];
    }

    List<Bytes> places() {
        return places;
    }

    /** The number of indexes, ascending, that form a run at the head of the list. */
    long leading() {
        int leading = 0;
        while (leading < count && indexes[leading] == leading) {
            leading++;
        }
        return leading;
    }

    /** The number of indexes, ascending, that form a run at the tail of a list of this size. */
    long trailing(long size) {
        int trailing = 0;
        while (trailing < count && indexes[count - 1 - trailing] == size - 1 - trailing) {
            trailing++;
        }
        return trailing;
    }

    /** The hits of a walk from the tail, in ascending order. */
    Hits reversed() {
        Hits ascending = new Hits(keepsPlaces);
        for (int i = count - 1; i >= 0; i--) {
            ascending.add(indexes[i], keepsPlaces ? places.get(i) : Bytes.EMPTY);
        }
        return ascending;
    }
}
