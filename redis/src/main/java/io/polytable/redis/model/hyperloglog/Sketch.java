package io.polytable.redis.model.hyperloglog;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * A HyperLogLog in Redis' byte format, since clients read and restore it as a string:
 *
 * <pre>
 * "HYLL"  encoding:1 (0 dense, 1 sparse)  unused:3  cached cardinality:8, little-endian, top bit set when stale
 * registers: 16384 of 6 bits (dense), or run lengths ({@link SparseRegisters})
 * </pre>
 *
 * <p>It starts sparse and becomes dense when a register exceeds 32 or the bytes exceed {@code hll-sparse-max-bytes}.
 */
final class Sketch {
    static final int REGISTERS = 1 << 14;
    static final int HEADER_BYTES = 16;
    static final int DENSE_BYTES = HEADER_BYTES + REGISTERS * DenseRegisters.BITS / Byte.SIZE;

    private static final int ENCODING_AT = 4;
    private static final int CACHE_AT = 8;
    private static final byte DENSE = 0;
    private static final byte SPARSE = 1;
    private static final byte[] MAGIC = {'H', 'Y', 'L', 'L'};

    private final int sparseBytesMax;
    private byte[] bytes;
    private int length;

    private Sketch(byte[] bytes, int sparseBytesMax) {
        this.bytes = bytes;
        this.length = bytes.length;
        this.sparseBytesMax = sparseBytesMax;
    }

    /** An empty sketch. */
    static Sketch empty(int sparseBytesMax) {
        byte[] bytes = Arrays.copyOf(MAGIC, HEADER_BYTES + 2);
        bytes[ENCODING_AT] = SPARSE;
        SparseRegisters.putZeros(bytes, HEADER_BYTES, REGISTERS);
        return new Sketch(bytes, sparseBytesMax);
    }

    /**
     * A copy of the string's bytes as a sketch.
     *
     * @throws RedisError when they are not one
     */
    static Sketch of(Bytes value, int sparseBytesMax) {
        boolean valid = value.length() >= HEADER_BYTES
                && value.startsWith(Bytes.of(MAGIC))
                && (value.at(ENCODING_AT) == SPARSE
                        || (value.at(ENCODING_AT) == DENSE && value.length() == DENSE_BYTES));
        if (!valid) {
            throw new RedisError(RedisError.Code.WRONGTYPE, "Key is not a valid HyperLogLog string value.");
        }
        return new Sketch(value.toByteArray(), sparseBytesMax);
    }

    static RedisError corrupt() {
        return new RedisError(RedisError.Code.INVALIDOBJ, "Corrupted HLL object detected");
    }

    Bytes value() {
        return Bytes.of(bytes, 0, length);
    }

    boolean isDense() {
        return bytes[ENCODING_AT] == DENSE;
    }

    /** Counts the element; returns whether a register rose. */
    boolean add(Bytes element) {
        long hash = Murmur64.of(element);
        int register = (int) hash & (REGISTERS - 1);
        // A bit above the used ones ends the run of zeros in any case.
        long rest = (hash >>> 14) | (1L << Estimator.RANK_BITS);
        return raise(register, Long.numberOfTrailingZeros(rest) + 1);
    }

    /** Raises the register to the rank if that is higher; returns whether it was. */
    boolean raise(int register, int rank) {
        if (isDense()) {
            return DenseRegisters.raise(bytes, register, rank);
        }
        if (rank <= SparseRegisters.VALUE_MAX) {
            SparseRegisters registers = new SparseRegisters(bytes, length);
            SparseRegisters.Outcome outcome = registers.raise(register, rank, sparseBytesMax);
            if (outcome != SparseRegisters.Outcome.TOO_LONG) {
                bytes = registers.bytes();
                length = registers.length();
                return outcome == SparseRegisters.Outcome.RAISED;
            }
        }
        toDense();
        return DenseRegisters.raise(bytes, register, rank);
    }

    /** Returns whether it was sparse. */
    boolean toDense() {
        if (isDense()) {
            return false;
        }
        byte[] dense = Arrays.copyOf(bytes, DENSE_BYTES);
        Arrays.fill(dense, HEADER_BYTES, DENSE_BYTES, (byte) 0);
        dense[ENCODING_AT] = DENSE;
        new SparseRegisters(bytes, length).forEachRun((first, count, rank) -> {
            for (int i = 0; rank > 0 && i < count; i++) {
                boolean unused = DenseRegisters.raise(dense, first + i, rank);
            }
        });
        bytes = dense;
        length = DENSE_BYTES;
        return true;
    }

    /** Raises each register of the target to this sketch's. */
    void maxInto(byte[] ranks) {
        if (isDense()) {
            for (int i = 0; i < REGISTERS; i++) {
                ranks[i] = (byte) Math.max(ranks[i], DenseRegisters.get(bytes, i));
            }
            return;
        }
        new SparseRegisters(bytes, length).forEachRun((first, count, rank) -> {
            for (int i = first; i < first + count; i++) {
                ranks[i] = (byte) Math.max(ranks[i], rank);
            }
        });
    }

    /** The approximate number of distinct elements. */
    long estimate() {
        int[] histogram = new int[Long.SIZE];
        if (isDense()) {
            for (int i = 0; i < REGISTERS; i++) {
                histogram[DenseRegisters.get(bytes, i)]++;
            }
        } else {
            new SparseRegisters(bytes, length).forEachRun((first, count, rank) -> histogram[rank] += count);
        }
        return Estimator.estimate(histogram);
    }

    boolean isCacheValid() {
        return bytes[CACHE_AT + Long.BYTES - 1] >= 0;
    }

    long cached() {
        long cached = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            cached = (cached << Byte.SIZE) | (bytes[CACHE_AT + i] & 0xff);
        }
        return cached;
    }

    void cache(long cardinality) {
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[CACHE_AT + i] = (byte) (cardinality >>> (i * Byte.SIZE));
        }
    }

    void invalidateCache() {
        bytes[CACHE_AT + Long.BYTES - 1] |= (byte) 0x80;
    }

    /** The sparse runs in the format of PFDEBUG DECODE. */
    String sparseText() {
        return new SparseRegisters(bytes, length).text();
    }
}
