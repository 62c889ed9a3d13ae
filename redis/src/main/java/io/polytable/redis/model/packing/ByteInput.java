package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;

/**
 * A source of untrusted bytes in Redis' format: a payload in memory, or a file or stream that is read once. Every
 * method throws {@link MalformedPacking} when fewer bytes are left.
 */
public interface ByteInput {
    /** The number of bytes that are left, or more where the source does not know its end. */
    long leftMax();

    /** The next byte, from 0 to 255. */
    int next();

    /** The next bytes. A source that must copy them allocates no more than are really there. */
    Bytes take(long count);

    /** A signed number of {@code width} bytes, lowest first. */
    long littleEndian(int width);

    /** An unsigned number of {@code width} bytes, highest first. */
    long bigEndian(int width);
}
