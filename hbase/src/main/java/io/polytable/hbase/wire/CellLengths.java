package io.polytable.hbase.wire;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.codec.CellCodec;
import org.apache.hadoop.hbase.codec.CellCodecWithTags;
import org.apache.hadoop.hbase.codec.Codec;

/**
 * The lengths inside of a block that {@link CellCodec} wrote. HBase's decoder takes memory for each before it looks whether
 * so much is there; a length of two gigabytes would end the server. The other codecs' decoders look first.
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

    /** Every length of the block is within it, where the codec's decoder relies on that. */
    static void check(Codec codec, ByteBuffer block) throws DoNotRetryIOException {
        boolean tagged = codec instanceof CellCodecWithTags;
        if (tagged || codec instanceof CellCodec) {
            new CellLengths(block).checkCells(tagged ? 2 : 1);
        }
    }

    /** @param sizedAfterType the value, and tags if there are any */
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
