package io.polytable.hbase.wire;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.codec.CellCodec;
import org.apache.hadoop.hbase.codec.CellCodecWithTags;
import org.apache.hadoop.hbase.codec.Codec;

/**
 * Validates the lengths in a block of {@link CellCodec}. HBase's decoder allocates each length before it checks
 * whether the block has so many bytes; a length of two gigabytes would kill the server. The other codecs check first.
 */
final class CellLengths {
    private static final int TIMESTAMP_AND_TYPE = Long.BYTES + 1;
    private static final int SEQUENCE = Long.BYTES;

    /** Row, family and qualifier. */
    private static final int NAMES = 3;

    private final ByteBuffer block;

    private CellLengths(ByteBuffer block) {
        this.block = block.duplicate();
    }

    /** Checks that every length is within the block, for codecs whose decoder relies on that. */
    static void check(Codec codec, ByteBuffer block) throws DoNotRetryIOException {
        boolean tagged = codec instanceof CellCodecWithTags;
        if (tagged || codec instanceof CellCodec) {
            new CellLengths(block).checkCells(tagged ? 2 : 1);
        }
    }

    /** @param sizedAfterType the number of sized fields after the type: the value, and tags if any */
    private void checkCells(int sizedAfterType) throws DoNotRetryIOException {
        while (block.hasRemaining()) {
            skipSized(NAMES);
            skip(TIMESTAMP_AND_TYPE);
            skipSized(sizedAfterType);
            skip(SEQUENCE);
        }
    }

    private void skipSized(int parts) throws DoNotRetryIOException {
        for (int part = 0; part < parts; part++) {
            require(Integer.BYTES);
            skip(block.getInt());
        }
    }

    private void skip(int length) throws DoNotRetryIOException {
        require(length);
        block.position(block.position() + length);
    }

    private void require(int length) throws DoNotRetryIOException {
        if (length < 0 || length > block.remaining()) {
            throw new DoNotRetryIOException("The cell block is damaged: a length of " + length + " bytes, of which "
                    + block.remaining() + " are there");
        }
    }
}
