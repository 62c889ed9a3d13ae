package io.polytable.redis.model.hyperloglog;

import io.polytable.table.Bytes;

/** MurmurHash64A with the seed that Redis uses for HyperLogLogs: the same element sets the same register. */
final class Murmur64 {
    private static final long SEED = 0xadc83b19L;
    private static final long M = 0xc6a4a7935bd1e995L;
    private static final int R = 47;

    private Murmur64() {}

    static long of(Bytes element) {
        int length = element.length();
        long hash = SEED ^ (length * M);
        int whole = length & ~7;
        for (int at = 0; at < whole; at += Long.BYTES) {
            hash = (hash ^ mix(littleEndian(element, at, Long.BYTES))) * M;
        }
        if (whole < length) {
            hash = (hash ^ littleEndian(element, whole, length - whole)) * M;
        }
        hash = (hash ^ (hash >>> R)) * M;
        return hash ^ (hash >>> R);
    }

    private static long mix(long word) {
        long mixed = word * M;
        return (mixed ^ (mixed >>> R)) * M;
    }

    private static long littleEndian(Bytes bytes, int at, int count) {
        long word = 0;
        for (int i = count - 1; i >= 0; i--) {
            word = (word << Byte.SIZE) | (bytes.at(at + i) & 0xff);
        }
        return word;
    }
}
