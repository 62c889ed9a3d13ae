package io.polytable.redis.command;

import io.polytable.table.Bytes;

/** Case-insensitive comparison of ASCII words, on their bytes. */
final class CaseFolding {
    private CaseFolding() {}

    /** The second argument must already be in lower case. */
    static boolean equal(Bytes word, byte[] small) {
        if (word.length() != small.length) {
            return false;
        }
        byte[] array = word.array();
        int offset = word.offset();
        for (int i = 0; i < small.length; i++) {
            if (small(array[offset + i]) != small[i]) {
                return false;
            }
        }
        return true;
    }

    static boolean equal(Bytes word, String text) {
        if (word.length() != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (small(word.at(i)) != small((byte) text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static byte small(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? (byte) (letter | 0x20) : letter;
    }
}
