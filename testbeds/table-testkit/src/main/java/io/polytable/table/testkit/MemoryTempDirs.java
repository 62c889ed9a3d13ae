package io.polytable.table.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates the temporary directories of tests on a file system in memory, if the machine has one with enough space, and
 * in the default place otherwise. Tests of a store open hundreds of databases. What they show does not depend on the
 * disk, and they need not wait for its syncs. A test that is about the disk asks for {@link TempDirFactory.Standard}.
 *
 * <p>A module chooses it in {@code junit-platform.properties}, with {@code junit.jupiter.tempdir.factory.default}.
 */
public final class MemoryTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long FREE_BYTES_MIN = 4L << 30;
    private static final String PREFIX = "polytable-test-";

    private final Path root;

    /** Called by JUnit. */
    public MemoryTempDirs() {
        this(MEMORY, FREE_BYTES_MIN);
    }

    MemoryTempDirs(Path memory, long freeBytesMin) {
        root = isUsable(memory, freeBytesMin) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        if (root.equals(memory)) {
            deleteLeftovers(memory);
        }
    }

    private static boolean isUsable(Path memory, long freeBytesMin) {
        try {
            return Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() >= freeBytesMin;
        } catch (IOException unknown) {
            return false;
        }
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return create();
    }

    Path create() throws IOException {
        return Files.createTempDirectory(root, PREFIX + ProcessHandle.current().pid() + "-");
    }

    /** Deletes what killed test runs left, which would take memory until the machine is restarted. */
    private static void deleteLeftovers(Path memory) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(memory, PREFIX + "*")) {
            for (Path directory : found) {
                if (!isOfLiveProcess(directory.getFileName().toString())) {
                    delete(directory);
                }
            }
        } catch (IOException | RuntimeException busy) {
            // Another test run deletes the same ones, or may not be disturbed: the next run tries again.
            return;
        }
    }

    private static boolean isOfLiveProcess(String name) {
        String pid = name.substring(PREFIX.length()).replaceFirst("-.*", "");
        return ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
