package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.polytable.frontend.limit.Budget;
import io.polytable.hbase.convert.HBaseTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException;
import org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.io.compress.CompressionCodec;

/** The cell block format of a connection: one of HBase's codecs, optionally compressed by one of Hadoop's. */
final class CellBlocks {
    private static final String CODECS = "org.apache.hadoop.hbase.codec.";
    private static final String COMPRESSORS = "org.apache.hadoop.io.compress.";
    private static final int PIECE_BYTES = 64 << 10;

    /** The maximum initial buffer for a response; larger ones grow. */
    private static final int ANSWER_BYTES_MAX = 64 << 20;

    private final Optional<Codec> codec;
    private final Optional<CompressionCodec> compressor;
    private final boolean plain;
    private final int bytesMax;
    private final Budget memory;

    /** The cells of a request, and the bytes that they took from the budget. */
    record Cells(CellScanner cells, long bytes) {}

    private CellBlocks(Optional<Codec> codec, Optional<CompressionCodec> compressor, int bytesMax, Budget memory) {
        this.codec = codec;
        plain = codec.filter(known -> known.getClass() == KeyValueCodec.class).isPresent();
        this.compressor = compressor;
        this.bytesMax = bytesMax;
        this.memory = memory;
    }

    /** Creates the format of a connection header; empty names for none. Only classes of HBase and Hadoop are loaded. */
    static CellBlocks of(String codec, String compressor, int bytesMax, Budget memory) throws IOException {
        Optional<Codec> known = Optional.empty();
        if (!codec.isEmpty()) {
            known = Optional.of(instance(codec, CODECS, Codec.class)
                    .orElseThrow(() -> new UnsupportedCellCodecException(codec, null)));
        }
        Optional<CompressionCodec> compression = Optional.empty();
        if (!compressor.isEmpty()) {
            compression = Optional.of(instance(compressor, COMPRESSORS, CompressionCodec.class)
                    .filter(CellBlocks::works)
                    .orElseThrow(() -> new UnsupportedCompressionCodecException(compressor, null)));
        }
        return new CellBlocks(known, compression, bytesMax, memory);
    }

    private static <T> Optional<T> instance(String name, String packagePrefix, Class<T> type) {
        if (!name.startsWith(packagePrefix)) {
            return Optional.empty();
        }
        try {
            T instance = type.cast(Class.forName(name)
                    .asSubclass(type)
                    .getDeclaredConstructor()
                    .newInstance());
            if (instance instanceof Configurable configurable) {
                configurable.setConf(new Configuration(false));
            }
            return Optional.of(instance);
        } catch (ReflectiveOperationException | ClassCastException | LinkageError unknown) {
            return Optional.empty();
        }
    }

    /** Some compressors lack a library that they need and fail only when used; then no response could be sent. */
    private static boolean works(CompressionCodec compression) {
        byte[] sample = {1, 2, 3};
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = compression.createOutputStream(compressed)) {
            out.write(sample);
        } catch (IOException | RuntimeException | LinkageError missing) {
            return false;
        }
        try (InputStream plain = compression.createInputStream(new ByteArrayInputStream(compressed.toByteArray()))) {
            return Arrays.equals(plain.readAllBytes(), sample);
        } catch (IOException | RuntimeException | LinkageError missing) {
            return false;
        }
    }

    boolean areCarried() {
        return codec.isPresent();
    }

    boolean areCompressed() {
        return compressor.isPresent();
    }

    /** Decodes the cells behind a request; every length is validated. */
    Cells read(byte[] frame, int offset, int length) throws IOException {
        if (length == 0) {
            return new Cells(CellUtil.createCellScanner(List.<Cell>of().iterator()), 0);
        }
        Codec decoder = codec.orElseThrow(() -> new DoNotRetryIOException("Cells on a connection without a codec"));
        if (compressor.isEmpty()) {
            return new Cells(
                    decoded(decoder, ByteBuffer.wrap(frame, offset, length).slice()), 0);
        }
        byte[] plain = decompressed(compressor.get(), new ByteArrayInputStream(frame, offset, length));
        try {
            return new Cells(decoded(decoder, ByteBuffer.wrap(plain)), plain.length);
        } catch (IOException | RuntimeException damaged) {
            memory.release(plain.length);
            throw damaged;
        }
    }

    private static CellScanner decoded(Codec codec, ByteBuffer block) throws IOException {
        CellLengths.check(codec, block);
        return new CheckedCells(codec.getDecoder(ByteBuff.wrap(block)));
    }

    /** Takes memory while it decompresses: a few compressed bytes may become many. */
    private byte[] decompressed(CompressionCodec compression, ByteArrayInputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean whole = false;
        try (InputStream plain = BoundedBlockDecompressor.plain(compression, in)) {
            byte[] piece = new byte[PIECE_BYTES];
            for (int count = plain.readNBytes(piece, 0, piece.length);
                    count > 0;
                    count = plain.readNBytes(piece, 0, piece.length)) {
                if (bytes.size() + count > bytesMax) {
                    throw new DoNotRetryIOException("The cells of a call take more than " + bytesMax + " bytes");
                }
                if (!memory.tryTake(count)) {
                    throw new CallQueueTooBigException(RunningCall.NO_ROOM);
                }
                bytes.write(piece, 0, count);
            }
            whole = true;
            return bytes.toByteArray();
        } catch (RuntimeException damaged) {
            throw new DoNotRetryIOException("The compressed cells cannot be read: " + damaged);
        } finally {
            if (!whole) {
                memory.release(bytes.size());
            }
        }
    }

    /** The approximate size of the encoded cells, to avoid copies of a growing buffer. */
    int sizeBytes(List<? extends Cell> cells) {
        long bytes = 0;
        for (Cell cell : cells) {
            bytes += Integer.BYTES + cell.getSerializedSize();
        }
        return (int) Math.min(compressor.isEmpty() ? bytes : bytes / 2, ANSWER_BYTES_MAX);
    }

    void write(List<? extends Cell> cells, ByteBuf out) throws IOException {
        if (compressor.isEmpty() && plain) {
            cells.forEach(cell -> writePlain(cell, out));
            return;
        }
        try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
            if (compressor.isEmpty()) {
                encode(cells, stream);
                return;
            }
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (OutputStream whole = compressor.get().createOutputStream(compressed)) {
                encode(cells, whole);
            }
            compressed.writeTo(stream);
        }
    }

    /** Writes what HBase's usual codec writes, without a stream: the hot path for almost every returned cell. */
    private static void writePlain(Cell cell, ByteBuf out) {
        int keyLength = KeyValue.KEY_INFRASTRUCTURE_SIZE
                + cell.getRowLength()
                + cell.getFamilyLength()
                + cell.getQualifierLength();
        out.writeInt(KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyLength + cell.getValueLength());
        out.writeInt(keyLength);
        out.writeInt(cell.getValueLength());
        out.writeShort(cell.getRowLength());
        out.writeBytes(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
        out.writeByte(cell.getFamilyLength());
        out.writeBytes(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
        out.writeBytes(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
        out.writeLong(cell.getTimestamp());
        out.writeByte(HBaseTypes.typeCode(cell));
        out.writeBytes(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }

    private void encode(List<? extends Cell> cells, OutputStream out) throws IOException {
        Codec.Encoder encoder = codec.orElseThrow().getEncoder(out);
        for (Cell cell : cells) {
            encoder.write(cell);
        }
        encoder.flush();
    }
}
