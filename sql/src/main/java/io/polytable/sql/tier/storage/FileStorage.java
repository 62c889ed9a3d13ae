package io.polytable.sql.tier.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A directory. A file is written beside its place, synced and renamed; directories are synced when all is to be durable. */
final class FileStorage implements Storage {
    private static final String TEMPORARY = ".tmp";
    private static final int UNSYNCED_MAX = 1000;

    private final Path base;

    /** Directories in which something was renamed. */
    private final Set<Path> unsynced = new HashSet<>();

    FileStorage(Path base) {
        this.base = base.toAbsolutePath().normalize();
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
        return target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + TEMPORARY);
    }

    @Override
    public void publish(Path temporary, String path) {
        try {
            sync(temporary, StandardOpenOption.WRITE);
            Path target = resolved(path);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (changed(target) > UNSYNCED_MAX) {
                settle();
            }
        } catch (IOException failure) {
            throw failed("A file cannot be published as", path, failure);
        }
    }

    /** The name of a new directory is durable only once the directory above it is synced. */
    private int changed(Path file) {
        synchronized (unsynced) {
            Path each = file.getParent();
            while (each != null && each.startsWith(base) && unsynced.add(each)) {
                each = each.getParent();
            }
            return unsynced.size();
        }
    }

    @Override
    public void settle() {
        List<Path> directories;
        synchronized (unsynced) {
            directories = List.copyOf(unsynced);
            unsynced.clear();
        }
        for (Path directory : directories) {
            try {
                syncIfThere(directory);
            } catch (IOException failure) {
                synchronized (unsynced) {
                    unsynced.addAll(directories);
                }
                throw failed(
                        "A directory cannot be synced:",
                        base.relativize(directory).toString(),
                        failure);
            }
        }
    }

    /** Its files may have been deleted meanwhile, and it with them. */
    private static void syncIfThere(Path directory) throws IOException {
        try {
            sync(directory, StandardOpenOption.READ);
        } catch (NoSuchFileException removed) {
            return;
        }
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    @Override
    public void write(String path, byte[] content) {
        Path temporary = temporary(path);
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException failure) {
            throw failed("A file cannot be written:", path, failure);
        }
        publish(temporary, path);
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
    public Optional<Path> local(String path) {
        return Optional.of(resolved(path));
    }

    @Override
    public void delete(String path) {
        Path file = resolved(path);
        try {
            Files.deleteIfExists(file);
            Path directory = file.getParent();
            while (directory != null && directory.startsWith(base) && !directory.equals(base)) {
                Files.deleteIfExists(directory);
                directory = directory.getParent();
            }
        } catch (DirectoryNotEmptyException others) {
            // Something else is in there still.
            return;
        } catch (IOException failure) {
            throw failed("A file cannot be deleted:", path, failure);
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
