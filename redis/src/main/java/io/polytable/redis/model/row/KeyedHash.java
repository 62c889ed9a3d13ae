package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * The hash that orders keys, hash fields and members: SipHash-1-3 under a secret of the store, cut to 32 bits. It is
 * secret because whoever could make many keys with one hash would make one SCAN step return them all.
 */
public final class KeyedHash {
    public static final int BYTES = 4;
    static final int SECRET_BYTES = 16;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long k0;
    private final long k1;

    public KeyedHash(Bytes secret) {
        if (secret.length() != SECRET_BYTES) {
            throw new IllegalArgumentException("secret of " + secret.length() + " bytes");
        }
        k0 = Long.reverseBytes(BigEndian.longAt(secret, 0));
        k1 = Long.reverseBytes(BigEndian.longAt(secret, Long.BYTES));
    }

    public static Bytes newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return Bytes.of(secret);
    }

    public int of(Bytes bytes) {
        long hash = sip(bytes.array(), bytes.offset(), bytes.length());
        return (int) (hash ^ (hash >>> 32));
    }

    private long sip(byte[] array, int offset, int length) {
        long v0 = 0x736f6d6570736575L ^ k0;
        long v1 = 0x646f72616e646f6dL ^ k1;
        long v2 = 0x6c7967656e657261L ^ k0;
        long v3 = 0x7465646279746573L ^ k1;
        int words = length >>> 3;
        // The words of the input, a last one with its length, and three empty finishing rounds: one loop, so that the
        // four lanes stay in registers.
        for (int i = 0; i < words + 4; i++) {
            long word = i < words
                    ? (long) LONGS.get(array, offset + (i << 3))
                    : i == words ? lastWord(array, offset, length) : 0;
            if (i == words + 1) {
                v2 ^= 0xff;
            }
            v3 ^= word;
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static long lastWord(byte[] array, int offset, int length) {
        long word = (long) length << 56;
        int tail = offset + (length & ~7);
        for (int i = 0; i < (length & 7); i++) {
            word |= (array[tail + i] & 0xffL) << (i << 3);
        }
        return word;
    }
}
