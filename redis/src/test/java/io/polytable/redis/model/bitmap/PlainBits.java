package io.polytable.redis.model.bitmap;

import java.util.Arrays;

/** Strings seen as bits in the plainest way: an array, bit after bit. */
final class PlainBits {
    private byte[] bytes;

    PlainBits(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] bytes() {
        return bytes;
    }

    long length() {
        return bytes.length;
    }

    void growTo(int length) {
        bytes = Arrays.copyOf(bytes, Math.max(bytes.length, length));
    }

    int get(long at) {
        return at / 8 < bytes.length ? (bytes[(int) (at / 8)] >> (7 - at % 8)) & 1 : 0;
    }

    int set(long at, int bit) {
        int old = get(at);
        growTo((int) (at / 8) + 1);
        int mask = 0x80 >> (at % 8);
        int index = (int) (at / 8);
        bytes[index] = (byte) (bit == 1 ? bytes[index] | mask : bytes[index] & ~mask);
        return old;
    }

    void write(int at, byte[] part) {
        growTo(at + part.length);
        System.arraycopy(part, 0, bytes, at, part.length);
    }

    /** From one bit to another, both included. */
    long count(long first, long last) {
        long count = 0;
        for (long at = first; at <= last; at++) {
            count += get(at);
        }
        return count;
    }

    long find(int bit, long first, long last) {
        for (long at = first; at <= last; at++) {
            if (get(at) == bit) {
                return at;
            }
        }
        return -1;
    }
}
