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
 * Loads RocksDB's native library from the state's directory and unlinks it right away. RocksDB on its own would unpack
 * it among the temporary files, where each killed process would leave a copy.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String FILES = "librocksdbjni*";

    private NativeLibrary() {}

    static void load(Path directory) throws IOException {
        try {
            NativeLibraryLoader.getInstance()
                    .loadLibrary(directory.toAbsolutePath().toString());
        } catch (IOException | UnsatisfiedLinkError e) {
            // The directory may be on a file system that is full, or mounted noexec.
            LOG.debug("Not loaded from {}", directory, e);
        }
        deleteUnpacked(directory);
        RocksDB.loadLibrary();
    }

    private static void deleteUnpacked(Path directory) throws IOException {
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(directory, FILES)) {
            for (Path file : unpacked) {
                Files.deleteIfExists(file);
            }
        }
    }
}
