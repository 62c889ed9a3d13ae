package io.polytable.redis;

import io.polytable.table.Bytes;

/** Payloads for RESTORE, sealed bit by bit: not by the code under test. */
final class Sealed {
    private static final long POLYNOMIAL = 0xad93d23594c935a9L;

    private Sealed() {}

    static Bytes of(Bytes typeAndValue, int version) {
        byte[] payload = new byte[typeAndValue.length() + 10];
        typeAndValue.copyTo(payload, 0);
        int end = typeAndValue.length();
        payload[end] = (byte) version;
        payload[end + 1] = (byte) (version >> 8);
        long checksum = checksum(payload, end + 2);
        for (int i = 0; i < Long.BYTES; i++) {
            payload[end + 2 + i] = (byte) (checksum >>> (8 * i));
        }
        return Bytes.of(payload);
    }

    private static long checksum(byte[] bytes, int length) {
        long crc = 0;
        for (int i = 0; i < length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                boolean one = (bytes[i] >> bit & 1) == 1;
                boolean top = crc < 0;
                crc <<= 1;
                if (top != one) {
                    crc ^= POLYNOMIAL;
                }
            }
        }
        return Long.reverse(crc);
    }
}
