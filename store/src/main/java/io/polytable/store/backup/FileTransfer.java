package io.polytable.store.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.backup.BackupFiles.Entry;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings files into a backup and lists them. A file that the previous backup has is hard-linked to it, and another one
 * to its source; where a link is impossible, the file is copied. So each backup is complete by itself, and deleting an
 * older one takes nothing from a newer one.
 */
public final class FileTransfer {
    private final Path target;
    private final Optional<Path> previous;
    private final BackupFiles before;
    private final BackupFiles files = new BackupFiles();
    private long count;
    private long bytes;
    private long shared;
    private long sharedBytes;

    /** @param previous a complete backup, of this or of another store */
    public FileTransfer(Path target, Optional<Path> previous) {
        this.target = target;
        this.previous = previous;
        before = previous.flatMap(BackupFiles::read).orElseGet(BackupFiles::new);
    }

    public BackupFiles files() {
        return files;
    }

    public long count() {
        return count;
    }

    public long bytes() {
        return bytes;
    }

    /** How many of the files are those of the previous backup. */
    public long shared() {
        return shared;
    }

    public long sharedBytes() {
        return sharedBytes;
    }

    /** Brings all files below a directory into the directory of this name. */
    public void tree(Path source, String name) throws IOException {
        Files.createDirectories(target.resolve(name));
        try (Stream<Path> all = Files.walk(source)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                String relative = source.relativize(file).toString().replace('\\', '/');
                file(file, name + "/" + relative, Optional.empty());
            }
        }
    }

    /**
     * Brings a file that does not change any more into the backup.
     *
     * @param known its checksum, if known: then a link needs no reading
     */
    public void file(Path source, String name, Optional<String> known) throws IOException {
        Path to = target.resolve(name);
        Files.createDirectories(to.getParent());
        long length = Files.size(source);
        String checksum = transferred(source, name, to, length, known);
        listed(new Entry(name, length, checksum));
    }

    /** Writes a file of the backup's own. */
    public void text(String content, String name) throws IOException {
        Path to = target.resolve(name);
        Files.createDirectories(to.getParent());
        byte[] encoded = content.getBytes(UTF_8);
        Files.write(to, encoded);
        listed(new Entry(name, encoded.length, Checksum.of(encoded)));
    }

    /** Lists a file that is in the backup already. */
    public void own(String name) throws IOException {
        Path file = target.resolve(name);
        listed(new Entry(name, Files.size(file), Checksum.of(file)));
    }

    private void listed(Entry entry) {
        files.add(entry);
        count++;
        bytes += entry.bytes();
    }

    private String transferred(Path source, String name, Path to, long length, Optional<String> known)
            throws IOException {
        Optional<Entry> old = before.entry(name).filter(entry -> entry.bytes() == length);
        if (old.isEmpty()) {
            return linkedOrCopied(source, to, known);
        }
        Path present = previous.orElseThrow().resolve(name);
        // A number of a file may be used again by a store that was restored from a backup: only its bytes decide.
        String checksum = isSameFile(present, source)
                ? old.get().sha256()
                : known.isPresent() ? known.get() : Checksum.of(source);
        if (checksum.equals(old.get().sha256()) && isWhole(present, length) && isLinked(present, to)) {
            shared++;
            sharedBytes += length;
            return checksum;
        }
        return linkedOrCopied(source, to, Optional.of(checksum));
    }

    private static boolean isSameFile(Path one, Path other) throws IOException {
        try {
            return Files.isSameFile(one, other);
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    private static boolean isWhole(Path file, long length) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) == length;
    }

    private static String linkedOrCopied(Path source, Path to, Optional<String> known) throws IOException {
        if (isLinked(source, to)) {
            return known.isPresent() ? known.get() : Checksum.of(to);
        }
        String copied = Checksum.copied(source, to);
        if (known.isPresent() && !known.get().equals(copied)) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "A file has other bytes than were written: polytable check --deep lists such files",
                    Map.of("path", source));
        }
        return copied;
    }

    /** Not every file system has hard links, and none has them to another one. */
    private static boolean isLinked(Path source, Path to) throws IOException {
        try {
            Files.createLink(to, source);
            return true;
        } catch (NoSuchFileException absent) {
            throw absent;
        } catch (UnsupportedOperationException | FileSystemException otherDisk) {
            return false;
        }
    }
}
