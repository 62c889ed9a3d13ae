package io.polytable.redis.model.dump;

import io.polytable.table.Bytes;

/** Redis' checksum: CRC-64 with the Jones polynomial, lowest bit first, without a final inversion. */
final class Crc64 {
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
        byte[] array = bytes.array();
        int end = bytes.offset() + bytes.length();
        long crc = 0;
        for (int i = bytes.offset(); i < end; i++) {
            crc = TABLE[(int) (crc ^ array[i]) & 0xff] ^ crc >>> 8;
        }
        return crc;
    }
}
