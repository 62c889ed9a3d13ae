package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Whether a directory can take new files. Free bytes alone do not decide that: a file system can also run out of inodes or
 * quota, or be read-only. So files are created, written and deleted again.
 */
final class DiskSpace {
    /** With less free disk space RocksDB might not open again, and then not even reads would work. */
    private static final long FREE_BYTES_MIN = 16L << 20;

    /** An open creates a MANIFEST, a CURRENT, an OPTIONS and an info log, with temporary files, and soon a table file. */
    private static final int FILES = 8;

    private static final int FILE_BYTES = 4 << 10;
    private static final String PREFIX = "probe-";

    private DiskSpace() {}

    static OptionalLong freeBytes(Path directory) {
        try {
            return OptionalLong.of(Files.getFileStore(directory).getUsableSpace());
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Refuses with {@link StoreError#NO_ROOM} if the directory cannot take the files of an open. */
    static void require(Path directory) {
        long free = freeBytes(directory).orElse(Long.MAX_VALUE);
        if (free < FREE_BYTES_MIN) {
            throw new StoreException(
                    StoreError.NO_ROOM, "The disk has too little free space", Map.of("path", directory, "free", free));
        }
        try {
            probe(directory);
        } catch (IOException e) {
            throw new StoreException(
                    StoreError.NO_ROOM,
                    "The state's directory takes no new files",
                    Map.of("path", directory, "cause", String.valueOf(e.getMessage())),
                    e);
        }
    }

    private static void probe(Path directory) throws IOException {
        try {
            for (int i = 0; i < FILES; i++) {
                try (FileChannel file = FileChannel.open(
                        directory.resolve(PREFIX + i), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    int unusedWritten = file.write(ByteBuffer.allocate(FILE_BYTES));
                }
            }
        } finally {
            for (int i = 0; i < FILES; i++) {
                Files.deleteIfExists(directory.resolve(PREFIX + i));
            }
        }
    }
}
