package io.polytable.sql.tier.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A storage in a directory. Writes a temporary file beside its target and renames it. A file that replaces another is
 * synced before the rename, so that a crash leaves one or the other; new files and directories are synced by
 * {@link #sync}.
 *
 * <p>Deleted Parquet files may be kept for a while, so that a point-in-time restore to a moment before their deletion
 * finds them: they move to a directory of the storage, with the time of their deletion as the time of modification.
 */
final class FileStorage implements Storage {
    private static final String TEMPORARY = ".tmp";
    private static final int UNSYNCED_MAX = 2000;

    private static final String KEPT_SUFFIX = ".parquet";
    private static final String DELETED = ".deleted";

    private final Path base;
    private final Duration keptDeleted;
    private final InstantSource clock;

    /** New files, and directories with a renamed entry. */
    private final Set<Path> unsynced = new HashSet<>();

    /** Held during a sync: a caller that finds nothing left to sync may need to wait for the sync of another. */
    private final Object syncing = new Object();

    FileStorage(Path base, Duration keptDeleted, InstantSource clock) {
        this.base = base.toAbsolutePath().normalize();
        this.keptDeleted = keptDeleted;
        this.clock = clock;
    }

    /** Where a deleted file is, if it is kept. */
    static Path deleted(Path base, String path) {
        return base.resolve(DELETED).resolve(path);
    }

    private Path resolved(String path) {
        Path resolved = base.resolve(path).normalize();
        if (!resolved.startsWith(base)) {
            throw new IllegalArgumentException("A path leaves its storage: " + path);
        }
        return resolved;
    }

    @Override
    public Path temporary(String path) {
        Path target = resolved(path);
        try {
            Path parent = target.getParent();
            Files.createDirectories(parent == null ? base : parent);
        } catch (IOException failure) {
            throw failed("A directory cannot be made for", path, failure);
        }
        return OwnerOnly.created(target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + TEMPORARY));
    }

    @Override
    public void publish(Path temporary, String path) {
        try {
            Path target = resolved(path);
            boolean isNew = Files.notExists(target);
            if (!isNew) {
                GroupSync.sync(temporary);
            }
            renamed(temporary, target);
            if (changed(target, isNew) > UNSYNCED_MAX) {
                sync();
            }
        } catch (IOException failure) {
            throw failed("A file cannot be published as", path, failure);
        }
    }

    private static void renamed(Path temporary, Path target) throws IOException {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Marks the directories up to the base too: the entry of a new directory is durable once its parent is synced. */
    private int changed(Path file, boolean isNew) {
        synchronized (unsynced) {
            if (isNew) {
                unsynced.add(file);
            }
            Path each = file.getParent();
            while (each != null && each.startsWith(base) && unsynced.add(each)) {
                each = each.getParent();
            }
            return unsynced.size();
        }
    }

    @Override
    public void sync() {
        synchronized (syncing) {
            syncChanged();
        }
    }

    private void syncChanged() {
        List<Path> changed;
        synchronized (unsynced) {
            changed = List.copyOf(unsynced);
            unsynced.clear();
        }
        boolean isSynced = false;
        try {
            GroupSync.all(changed);
            isSynced = true;
        } catch (IOException failure) {
            throw failed("Files cannot be synced below", base.toString(), failure);
        } finally {
            if (!isSynced) {
                synchronized (unsynced) {
                    unsynced.addAll(changed);
                }
            }
        }
    }

    @Override
    public void writeAll(Map<String, byte[]> files) {
        Map<Path, Path> written = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path temporary = temporary(file.getKey());
                written.put(temporary, resolved(file.getKey()));
                Files.write(temporary, file.getValue(), StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
            }
            GroupSync.all(written.keySet());
            for (Map.Entry<Path, Path> each : written.entrySet()) {
                renamed(each.getKey(), each.getValue());
                changed(each.getValue(), false);
            }
        } catch (IOException failure) {
            written.keySet().forEach(FileStorage::deleteQuietly);
            throw failed("Files cannot be written below", base.toString(), failure);
        }
    }

    private static void deleteQuietly(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException left) {
            // A later reconcile deletes it.
            return;
        }
    }

    @Override
    public Optional<byte[]> read(String path) {
        try {
            return Optional.of(Files.readAllBytes(resolved(path)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw failed("A file cannot be read:", path, failure);
        }
    }

    @Override
    public void fetch(String path, Path to) {
        try {
            Files.copy(resolved(path), to, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException absent) {
            throw StorageFailure.absent(path, absent);
        } catch (IOException failure) {
            throw failed("A file cannot be read:", path, failure);
        }
    }

    @Override
    public Optional<FileStatus> status(String path) {
        try {
            return Optional.of(new FileStatus(Files.size(resolved(path)), Optional.empty(), Optional.empty()));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw failed("A file cannot be read:", path, failure);
        }
    }

    @Override
    public Optional<Path> local(String path) {
        return Optional.of(resolved(path));
    }

    @Override
    public void delete(String path) {
        Path file = resolved(path);
        try {
            if (keptDeleted.isZero() || !path.endsWith(KEPT_SUFFIX)) {
                Files.deleteIfExists(file);
            } else if (Files.exists(file)) {
                keep(file, deleted(base, path));
            }
            deleteEmpty(file.getParent());
        } catch (DirectoryNotEmptyException others) {
            // The directory has other files.
            return;
        } catch (IOException failure) {
            throw failed("A file cannot be deleted:", path, failure);
        }
    }

    private void deleteEmpty(@Nullable Path parent) throws IOException {
        Path directory = parent;
        while (directory != null && directory.startsWith(base) && !directory.equals(base)) {
            Files.deleteIfExists(directory);
            directory = directory.getParent();
        }
    }

    private void keep(Path file, Path target) throws IOException {
        Files.createDirectories(target.resolveSibling(""));
        Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
        renamed(file, target);
    }

    @Override
    public void removeDeleted() {
        Path kept = base.resolve(DELETED);
        if (!Files.isDirectory(kept)) {
            return;
        }
        Instant before = clock.instant().minus(keptDeleted);
        try (Stream<Path> files = Files.walk(kept)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                    remove(file);
                }
            }
        } catch (IOException | UncheckedIOException failure) {
            throw failed("Deleted files cannot be removed below", kept.toString(), failure);
        }
    }

    private void remove(Path file) throws IOException {
        Files.deleteIfExists(file);
        try {
            deleteEmpty(file.getParent());
        } catch (DirectoryNotEmptyException others) {
            // Files that were deleted later.
            return;
        }
    }

    @Override
    public void list(String path, Consumer<String> action) {
        Path directory = resolved(path);
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(Files::isRegularFile)
                    .map(file -> base.relativize(file).toString().replace('\\', '/'))
                    .forEach(action);
        } catch (IOException | UncheckedIOException failure) {
            throw failed("A directory cannot be listed:", path, failure);
        }
    }

    private static StorageFailure failed(String text, String path, Exception cause) {
        return new StorageFailure(text + " " + path + ": " + cause.getMessage(), cause);
    }
}
