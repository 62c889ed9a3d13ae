package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Sort keys of elements, also called places: eight bytes that sort as the score does, then the member. Places are
 * compared as bytes. A place need not hold an element, so the bounds of ranges are places too.
 *
 * <p>As in Redis, both zeros are one score to the order, though a set can hold either: they have the same bytes here.
 */
public final class SortKeys {
    public static final int SCORE_BYTES = Long.BYTES;

    /** The lowest place. */
    public static final Bytes START = Bytes.EMPTY;

    /** As an upper bound: after all places. */
    public static final Bytes END = Bytes.EMPTY;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private SortKeys() {}

    public static Bytes of(double score, Bytes member) {
        byte[] place = new byte[SCORE_BYTES + member.length()];
        LONGS.set(place, 0, orderBits(score));
        member.copyTo(place, SCORE_BYTES);
        return Bytes.of(place);
    }

    /** Before all elements of this score, after all lower ones. */
    public static Bytes before(double score) {
        return of(orderBits(score));
    }

    /** After all elements of this score, before all higher ones. */
    public static Bytes behind(double score) {
        return of(orderBits(score) + 1);
    }

    private static Bytes of(long bits) {
        byte[] place = new byte[SCORE_BYTES];
        LONGS.set(place, 0, bits);
        return Bytes.of(place);
    }

    /** The next place after this one. */
    public static Bytes after(Bytes place) {
        byte[] next = new byte[place.length() + 1];
        place.copyTo(next, 0);
        return Bytes.of(next);
    }

    public static double score(Bytes place) {
        return score((long) LONGS.get(place.array(), place.offset()));
    }

    /** The score in the place as a number that compares signed; {@link #START} comes first. */
    static long comparableScore(Bytes place) {
        return place.isEmpty() ? Long.MIN_VALUE : (long) LONGS.get(place.array(), place.offset()) ^ Long.MIN_VALUE;
    }

    public static Bytes member(Bytes place) {
        return place.from(SCORE_BYTES);
    }

    /** Bits whose unsigned order is that of scores; both zeros have the same. */
    private static long orderBits(double score) {
        return exactBits(score == 0 ? 0.0 : score);
    }

    /** Bits whose unsigned order is that of scores; distinguishes the zeros. */
    public static long exactBits(double score) {
        long bits = Double.doubleToRawLongBits(score);
        // Negative numbers are stored with all bits flipped, so that larger magnitudes come first.
        return bits ^ ((bits >> 63) | Long.MIN_VALUE);
    }

    public static double score(long bits) {
        return Double.longBitsToDouble(bits ^ ((~bits >> 63) | Long.MIN_VALUE));
    }
}
