package io.polytable.store.backup;

import io.polytable.store.backup.BackupFiles.Entry;
import io.polytable.store.directory.DiskSync;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the files of a backup and compares them with its list. */
public final class VerifiedCopy {
    private VerifiedCopy() {}

    /** Copies the files whose names begin with the prefix to a new directory. */
    public static void tree(Path backup, BackupFiles files, String prefix, Path to) {
        try {
            Files.createDirectories(to);
            for (Entry entry : files.entries()) {
                if (entry.name().startsWith(prefix)) {
                    file(backup, entry, to.resolve(entry.name().substring(prefix.length())));
                }
            }
        } catch (IOException failure) {
            throw new StoreException(StoreError.IO, "Cannot copy the files of the backup", Map.of("path", to), failure);
        }
    }

    /** Copies a file to one that does not exist yet. */
    static void file(Path backup, Entry entry, Path to) throws IOException {
        Path from = backup.resolve(entry.name());
        Files.createDirectories(to.getParent());
        try {
            String checksum = Checksum.copied(from, to);
            if (Files.size(to) != entry.bytes() || !checksum.equals(entry.sha256())) {
                throw damaged(from);
            }
        } catch (NoSuchFileException missing) {
            throw new StoreException(
                    StoreError.CORRUPT, "A file of the backup is missing", Map.of("path", from), missing);
        }
    }

    /** Copies a file that rows name to one that does not exist yet; returns false if it is missing or another file. */
    public static boolean attached(Path from, AttachedFile file, Path to) throws IOException {
        if (!Files.isRegularFile(from) || Files.size(from) != file.bytes()) {
            return false;
        }
        Path parent = Objects.requireNonNull(to.getParent());
        DiskSync.createDirectories(parent);
        String checksum = Checksum.copied(from, to);
        if (!file.sha256().orElse(checksum).equals(checksum)) {
            Files.delete(to);
            return false;
        }
        DiskSync.FSYNC.sync(to);
        DiskSync.FSYNC.sync(parent);
        return true;
    }

    private static StoreException damaged(Path file) {
        return new StoreException(
                StoreError.CORRUPT, "A file of the backup differs from its checksum", Map.of("path", file));
    }

    /** A line for each file that is missing or differs from the list. */
    public static List<String> problems(Path backup, BackupFiles files) {
        List<String> problems = new ArrayList<>();
        for (Entry entry : files.entries()) {
            problem(backup.resolve(entry.name()), entry).ifPresent(problems::add);
        }
        return problems;
    }

    private static Optional<String> problem(Path file, Entry entry) {
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.of(entry.name() + " is missing");
            }
            if (Files.size(file) != entry.bytes()) {
                return Optional.of(entry.name() + " has " + Files.size(file) + " bytes instead of " + entry.bytes());
            }
            return isSame(file, entry) ? Optional.empty() : Optional.of(entry.name() + " differs from its checksum");
        } catch (IOException unreadable) {
            return Optional.of(entry.name() + " cannot be read: " + unreadable);
        }
    }

    static boolean isSame(Path file, Entry entry) throws IOException {
        return Files.size(file) == entry.bytes() && Checksum.of(file).equals(entry.sha256());
    }
}
