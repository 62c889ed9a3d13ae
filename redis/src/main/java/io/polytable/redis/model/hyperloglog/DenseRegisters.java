package io.polytable.redis.model.hyperloglog;

/** Registers of six bits, packed from the least significant bit of each byte on. */
final class DenseRegisters {
    static final int BITS = 6;
    private static final int MAX = (1 << BITS) - 1;

    private DenseRegisters() {}

    static int get(byte[] sketch, int register) {
        int bit = register * BITS;
        int at = Sketch.HEADER_BYTES + bit / Byte.SIZE;
        int shift = bit % Byte.SIZE;
        int low = (sketch[at] & 0xff) >>> shift;
        // The last register ends with the last byte, so a next byte exists whenever its bits are needed.
        int high = shift > Byte.SIZE - BITS ? (sketch[at + 1] & 0xff) << (Byte.SIZE - shift) : 0;
        return (low | high) & MAX;
    }

    static boolean raise(byte[] sketch, int register, int rank) {
        if (get(sketch, register) >= rank) {
            return false;
        }
        int bit = register * BITS;
        int at = Sketch.HEADER_BYTES + bit / Byte.SIZE;
        int shift = bit % Byte.SIZE;
        sketch[at] = (byte) ((sketch[at] & ~(MAX << shift)) | (rank << shift));
        if (shift > Byte.SIZE - BITS) {
            int taken = Byte.SIZE - shift;
            sketch[at + 1] = (byte) ((sketch[at + 1] & ~(MAX >>> taken)) | (rank >>> taken));
        }
        return true;
    }
}
