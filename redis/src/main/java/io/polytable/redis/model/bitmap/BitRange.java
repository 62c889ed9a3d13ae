package io.polytable.redis.model.bitmap;

import io.polytable.table.Bytes;

/** A range of bits of a string, both ends included; bit 0 is the highest of the first byte. */
record BitRange(long first, long last) {
    static int bit(byte[] string, long at) {
        long index = at >>> 3;
        return index < string.length ? (string[(int) index] >>> (7 - (at & 7))) & 1 : 0;
    }

    static int bit(Bytes string, long at) {
        long index = at >>> 3;
        return index < string.length() ? (string.at((int) index) >>> (7 - (at & 7))) & 1 : 0;
    }

    boolean isEmpty() {
        return first > last;
    }

    long count(Bytes string) {
        if (isEmpty()) {
            return 0;
        }
        long count = 0;
        int from = (int) (first >>> 3);
        int to = (int) (last >>> 3);
        for (int i = from; i <= to; i++) {
            count += Integer.bitCount(masked(string, i, from, to));
        }
        return count;
    }

    private int masked(Bytes string, int index, int from, int to) {
        int value = string.at(index) & 0xff;
        if (index == from) {
            value &= 0xff >>> (first & 7);
        }
        if (index == to) {
            value &= 0xff << (7 - (last & 7));
        }
        return value;
    }

    /** The position of the first such bit; -1 for none. */
    long find(Bytes string, int bit) {
        long at = first;
        int without = bit == 1 ? 0 : 0xff;
        while (at <= last) {
            boolean wholeByte = (at & 7) == 0 && at + 7 <= last;
            if (wholeByte && (string.at((int) (at >>> 3)) & 0xff) == without) {
                at += 8;
            } else if (bit(string, at) == bit) {
                return at;
            } else {
                at++;
            }
        }
        return -1;
    }
}
