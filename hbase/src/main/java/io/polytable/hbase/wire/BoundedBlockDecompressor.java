package io.polytable.hbase.wire;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.io.compress.BlockDecompressorStream;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;

/**
 * Decompresses Hadoop's block format: length-prefixed chunks. Hadoop's own reader allocates a chunk's length before it
 * checks the available bytes; a length of two gigabytes would kill the server.
 */
final class BoundedBlockDecompressor extends BlockDecompressorStream {
    private static final int PIECE_BYTES = 64 << 10;

    private BoundedBlockDecompressor(CompressionCodec compression, ByteArrayInputStream in) throws IOException {
        super(in, CodecPool.getDecompressor(compression), PIECE_BYTES);
    }

    /** Opens a decompressing stream that validates lengths, for any compressor. */
    static InputStream plain(CompressionCodec compression, ByteArrayInputStream in) throws IOException {
        CompressionInputStream usual = compression.createInputStream(in);
        if (!(usual instanceof BlockDecompressorStream)) {
            return usual;
        }
        usual.close();
        return new BoundedBlockDecompressor(compression, in);
    }

    @Override
    protected int getCompressedData() throws IOException {
        byte[] digits = in.readNBytes(Integer.BYTES);
        if (digits.length < Integer.BYTES) {
            throw new EOFException("Compressed cells end within a length");
        }
        int length = org.apache.hadoop.hbase.util.Bytes.toInt(digits);
        if (length < 0 || length > in.available()) {
            throw new DoNotRetryIOException(
                    "A compressed piece of " + length + " bytes, of which " + in.available() + " are there");
        }
        if (length > buffer.length) {
            buffer = new byte[length];
        }
        return in.readNBytes(buffer, 0, length);
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            super.close();
            CodecPool.returnDecompressor(decompressor);
        }
    }
}
