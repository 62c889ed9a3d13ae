package io.polytable.redis.model.list;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sort keys of list elements, called places: the sub-keys of their rows, in whose byte order the list reads. A pushed
 * element gets a position, a signed number in eight bytes that starts at zero and goes down to the left and up to the
 * right. An element inserted between two neighbours without a free position between them gets a fractional index: the
 * left one's words and a further word, which is never zero, so that there is always space below it.
 */
final class ListSortKeys {
    static final int WORD_BYTES = Long.BYTES;

    /** Beyond this length, elements inserted after the same position get new, evenly spread places. */
    static final int BYTES_MAX = 8 * WORD_BYTES;

    /** The distance of inserted elements from an open end: space for as many more before each and after each. */
    private static final long STEP = 1L << 32;

    private ListSortKeys() {}

    static Bytes of(long position) {
        byte[] place = new byte[WORD_BYTES];
        BigEndian.putLong(place, 0, position ^ Long.MIN_VALUE);
        return Bytes.of(place);
    }

    /** The position of the place: its own, or that of the element it was inserted after. */
    static long position(Bytes place) {
        return BigEndian.longAt(place, 0) ^ Long.MIN_VALUE;
    }

    static boolean isPlace(Bytes bytes) {
        return bytes.length() >= WORD_BYTES && bytes.length() <= BYTES_MAX && bytes.length() % WORD_BYTES == 0;
    }

    /** The smallest sub-key after this place. */
    static Bytes after(Bytes place) {
        byte[] next = new byte[place.length() + 1];
        place.copyTo(next, 0);
        return Bytes.of(next);
    }

    /**
     * A place between two neighbours; absent when it would be too long. Elements that keep coming before or after the
     * same neighbour, or after each other, get one step from the last one each. Only repeated bisection makes places
     * longer: one word per 64 insertions.
     */
    static Optional<Bytes> between(Bytes lower, Bytes upper) {
        List<Long> words = new ArrayList<>();
        boolean bounded = true;
        for (int at = 0; at < BYTES_MAX; at += WORD_BYTES) {
            boolean hasLow = at < lower.length();
            long low = hasLow ? BigEndian.longAt(lower, at) : 0;
            long high = bounded ? BigEndian.longAt(upper, at) : -1;
            if (Long.compareUnsigned(high, low) > 0 && high - low != 1) {
                words.add(choose(low, high, hasLow, bounded));
                return Optional.of(join(words));
            }
            words.add(low);
            bounded = bounded && low == high;
        }
        return Optional.empty();
    }

    private static long choose(long low, long high, boolean hasLow, boolean hasHigh) {
        long half = (high - low) >>> 1;
        if (hasLow == hasHigh) {
            return low + half;
        }
        long step = Math.min(half, STEP);
        return hasLow ? low + step : high - step;
    }

    /** Evenly spread places in order, all of them between this position and the next. */
    static List<Bytes> spread(long position, int count) {
        long step = Long.divideUnsigned(-1L, count + 1L);
        List<Bytes> places = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            places.add(join(List.of(position ^ Long.MIN_VALUE, i * step)));
        }
        return places;
    }

    private static Bytes join(List<Long> words) {
        byte[] place = new byte[words.size() * WORD_BYTES];
        for (int i = 0; i < words.size(); i++) {
            BigEndian.putLong(place, i * WORD_BYTES, words.get(i));
        }
        return Bytes.of(place);
    }
}
