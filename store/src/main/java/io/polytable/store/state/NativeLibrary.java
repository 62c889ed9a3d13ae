package io.polytable.store.state;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library, unpacked into the state's own directory and unlinked as soon as it is loaded. On its own
 * RocksDB would unpack it among the temporary files, and each process that is killed would leave one there.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String FILES = "librocksdbjni*";

    private NativeLibrary() {}

    static void load(Path directory) throws IOException {
        try {
            NativeLibraryLoader.getInstance()
                    .loadLibrary(directory.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            // The directory may lie on a disk that is mounted without the right to execute.
            LOG.debug("Not loaded from {}", directory, e);
        }
        RocksDB.loadLibrary();
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(directory, FILES)) {
            for (Path file : unpacked) {
                Files.deleteIfExists(file);
            }
        }
    }
}
