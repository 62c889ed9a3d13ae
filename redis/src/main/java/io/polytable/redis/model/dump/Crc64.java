package io.polytable.redis.model.dump;

import io.polytable.table.Bytes;

/** Redis' checksum: CRC-64 with the Jones polynomial, lowest bit first, without a final inversion. */
public final class Crc64 {
    private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;
    private static final long[] TABLE = new long[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
            }
            TABLE[i] = crc;
        }
    }

    private Crc64() {}

    static long of(Bytes bytes) {
        return update(0, bytes.array(), bytes.offset(), bytes.length());
    }

    /** Continues the checksum of what came before, zero for nothing. */
    public static long update(long before, byte[] bytes, int from, int length) {
        long crc = before;
        for (int i = from; i < from + length; i++) {
            crc = TABLE[(int) (crc ^ bytes[i]) & 0xff] ^ crc >>> 8;
        }
        return crc;
    }
}
