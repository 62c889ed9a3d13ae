package io.polytable.redis.command;

import io.polytable.table.Bytes;

/** Integers as Redis reads them: no spaces, no plus, no leading zeros, 64 bits. */
final class Integers {
    private Integers() {}

    static boolean isInteger(Bytes word) {
        int digitsFrom = word.length() > 0 && word.at(0) == '-' ? 1 : 0;
        int digits = word.length() - digitsFrom;
        if (digits == 0 || digits > 19) {
            return false;
        }
        for (int i = digitsFrom; i < word.length(); i++) {
            if (word.at(i) < '0' || word.at(i) > '9') {
                return false;
            }
        }
        if (word.at(digitsFrom) == '0') {
            return word.length() == 1;
        }
        // At most 19 digits: as an unsigned number it cannot wrap, so the sign bit tells of an overflow.
        long size = magnitude(word, digitsFrom);
        return size >= 0 || (digitsFrom == 1 && size == Long.MIN_VALUE);
    }

    /** Of a word that {@link #isInteger}. */
    static long parse(Bytes word) {
        return word.at(0) == '-' ? -magnitude(word, 1) : magnitude(word, 0);
    }

    private static long magnitude(Bytes word, int from) {
        long value = 0;
        for (int i = from; i < word.length(); i++) {
            value = value * 10 + (word.at(i) - '0');
        }
        return value;
    }
}
