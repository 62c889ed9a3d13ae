package io.polytable.store.log.disk;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.ProcessLock;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A directory on disk, locked against a second log in this or another process. */
public final class DiskFiles implements LogFiles {
    private static final String LOCK = "lock";

    private final Path directory;
    private final ProcessLock lock;

    private DiskFiles(Path directory, ProcessLock lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Locks the directory, creating it if it is missing.
     *
     * @throws StoreException {@link StoreError#IN_USE} while another log has it open
     */
    public static DiskFiles open(Path directory) throws IOException {
        DiskSync.createDirectories(directory);
        ProcessLock lock = ProcessLock.tryLock(directory, LOCK)
                .orElseThrow(() -> new StoreException(
                        StoreError.IN_USE, "Another log has the directory open", Map.of("directory", directory)));
        return new DiskFiles(directory, lock);
    }

    @Override
    public String describe(String name) {
        return directory.resolve(name).toString();
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> !name.equals(LOCK))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public LogFile create(String name) throws IOException {
        Path path = directory.resolve(name);
        Files.newByteChannel(
                        path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                .close();
        return DiskFile.open(path);
    }

    @Override
    public LogFile open(String name) throws IOException {
        return DiskFile.open(directory.resolve(name));
    }

    @Override
    public LogFile openToRead(String name) throws IOException {
        return DiskFile.openToRead(directory.resolve(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        DiskSync.FSYNC.sync(directory);
    }

    @Override
    public long modifiedMillis(String name) throws IOException {
        return Files.getLastModifiedTime(directory.resolve(name)).toMillis();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
