package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Formats integers into a byte array without a string. */
final class Decimal {
    private static final byte[] SMALLEST = Long.toString(Long.MIN_VALUE).getBytes(ISO_8859_1);

    private Decimal() {}

    /** Returns the position behind the last digit. */
    static int write(long number, byte[] target, int at) {
        if (number >= 0 && number < 1000) {
            return writeSmall((int) number, target, at);
        }
        if (number == Long.MIN_VALUE) {
            System.arraycopy(SMALLEST, 0, target, at, SMALLEST.length);
            return at + SMALLEST.length;
        }
        int start = at;
        long rest = number;
        if (number < 0) {
            target[start++] = '-';
            rest = -number;
        }
        int end = start + digits(rest);
        for (int i = end - 1; i >= start; i--) {
            long tenth = rest / 10;
            target[i] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        return end;
    }

    /** Up to three digits, as in the lengths of most values. */
    private static int writeSmall(int number, byte[] target, int start) {
        int at = start;
        if (number >= 100) {
            target[at++] = (byte) ('0' + number / 100);
        }
        if (number >= 10) {
            target[at++] = (byte) ('0' + number / 10 % 10);
        }
        target[at] = (byte) ('0' + number % 10);
        return at + 1;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }
}
