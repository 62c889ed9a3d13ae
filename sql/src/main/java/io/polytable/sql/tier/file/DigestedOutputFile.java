package io.polytable.sql.tier.file;

import io.polytable.sql.tier.storage.FileChecksum;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A local file whose checksum is computed while it is written, so that it need not be read again. */
final class DigestedOutputFile implements OutputFile {
    private final LocalOutputFile file;
    private final MessageDigest digest = FileChecksum.begun();

    DigestedOutputFile(Path file) {
        this.file = new LocalOutputFile(file);
    }

    /** The checksum of everything written; call it once, after the file is closed. */
    String sha256() {
        return FileChecksum.text(digest);
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
        return digested(file.create(blockSizeHint));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
        return digested(file.createOrOverwrite(blockSizeHint));
    }

    private PositionOutputStream digested(PositionOutputStream out) {
        digest.reset();
        return new PositionOutputStream() {
            @Override
            public long getPos() throws IOException {
                return out.getPos();
            }

            @Override
            public void write(int value) throws IOException {
                digest.update((byte) value);
                out.write(value);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                digest.update(bytes, offset, length);
                out.write(bytes, offset, length);
            }

            @Override
            public void flush() throws IOException {
                out.flush();
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    @Override
    public boolean supportsBlockSize() {
        return file.supportsBlockSize();
    }

    @Override
    public long defaultBlockSize() {
        return file.defaultBlockSize();
    }

    @Override
    public String getPath() {
        return file.getPath();
    }
}
