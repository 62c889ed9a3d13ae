package io.polytable.store.backup;

import io.polytable.store.backup.BackupFiles.Entry;
import io.polytable.store.directory.DiskSync;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Restores the files of storages. A storage outside the data directory may still have its files: those that are the
 * same stay, and another file under one of their names is not overwritten.
 */
public final class AttachedRestore {
    private final Path backup;
    private final BackupFiles files;
    private final Map<String, Path> bases = new TreeMap<>();
    private final Map<String, Path> given;
    private final List<Path> created = new ArrayList<>();
    private long count;

    /** @param given directories for the files of some storages, which must have no files yet */
    public AttachedRestore(Path backup, BackupFiles files, Map<String, Path> given) {
        this.backup = backup;
        this.files = files;
        this.given = Map.copyOf(given);
        bases.putAll(files.bases());
        bases.putAll(given);
    }

    /** The number of files that are in place. */
    public long count() {
        return count;
    }

    public void run() {
        try {
            for (Path base : given.values()) {
                requireEmpty(base);
            }
            for (Map.Entry<String, Path> storage : bases.entrySet()) {
                for (Map.Entry<String, Entry> file :
                        files.ofStorage(storage.getKey()).entrySet()) {
                    place(file.getValue(), storage.getValue().resolve(file.getKey()));
                }
            }
            sync();
        } catch (IOException failure) {
            throw new StoreException(
                    StoreError.IO,
                    "Cannot restore the files of storages",
                    Map.of("path", backup, "cause", String.valueOf(failure)),
                    failure);
        }
    }

    private static void requireEmpty(Path base) throws IOException {
        if (!Files.isDirectory(base)) {
            return;
        }
        try (Stream<Path> all = Files.walk(base)) {
            if (all.anyMatch(Files::isRegularFile)) {
                throw new StoreException(
                        StoreError.IO, "The data directory is not empty: restore into a new one", Map.of("path", base));
            }
        }
    }

    private void place(Entry entry, Path to) throws IOException {
        if (Files.exists(to)) {
            if (!VerifiedCopy.isSame(to, entry)) {
                throw new StoreException(
                        StoreError.IO, "Another file is where one of the backup belongs", Map.of("path", to));
            }
        } else {
            Path parent = to.getParent();
            DiskSync.createDirectories(parent == null ? to : parent);
            created.add(to);
            VerifiedCopy.file(backup, entry, to);
        }
        count++;
    }

    private void sync() throws IOException {
        Set<Path> directories = new LinkedHashSet<>();
        for (Path file : created) {
            DiskSync.FSYNC.sync(file);
            directories.add(file.getParent());
        }
        for (Path directory : directories) {
            DiskSync.FSYNC.sync(directory);
        }
    }

    /** Deletes the files that were created, after a failure. */
    public void undo() {
        for (Path file : created) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException left) {
                // The next attempt finds it, and compares it with the backup.
                return;
            }
        }
    }
}
