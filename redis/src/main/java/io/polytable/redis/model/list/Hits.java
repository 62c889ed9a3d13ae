package io.polytable.redis.model.list;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Elements that a walk over a list has found: their indexes, and of a sparse list also their places. */
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

    /** How many of the indexes, ascending, are those at the head of the list. */
    long leading() {
        int leading = 0;
        while (leading < count && indexes[leading] == leading) {
            leading++;
        }
        return leading;
    }

    /** How many of the indexes, ascending, are those at the tail of a list of this size. */
    long trailing(long size) {
        int trailing = 0;
        while (trailing < count && indexes[count - 1 - trailing] == size - 1 - trailing) {
            trailing++;
        }
        return trailing;
    }

    /** Hits that a walk from the tail found, as if it had come from the head. */
    Hits reversed() {
        Hits ascending = new Hits(keepsPlaces);
        for (int i = count - 1; i >= 0; i--) {
            ascending.add(indexes[i], keepsPlaces ? places.get(i) : Bytes.EMPTY);
        }
        return ascending;
    }
}
