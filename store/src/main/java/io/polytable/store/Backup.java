package io.polytable.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.GroupDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.group.GroupedStore;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.state.State;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Online backup and restore. A backup flushes everything committed so far and hard-links the state's files; it needs no
 * log. A restore starts a new log after the backup's position, under a new incarnation, so that feed positions from
 * later commits of the old log are refused instead of misread.
 */
public final class Backup {
    private static final String MANIFEST = "BACKUP";
    private static final String STATE = "state";

    private Backup() {}

    /** What a backup holds. */
    public record Contents(long position, long ticket) {}

    /** Writes a backup of the running store to a new directory, which appears only once it is complete. */
    public static Contents write(Engine engine, Path target) {
        return write(engine, target, DiskSync.FSYNC);
    }

    static Contents write(Engine engine, Path target, DiskSync disk) {
        return whole(target, disk, unfinished -> {
            State.Applied held = engine.checkpoint(unfinished.resolve(STATE));
            StoreDirectory.markFormat(unfinished);
            writeManifest(unfinished.resolve(MANIFEST), held);
            return new Contents(held.position(), held.ticket());
        });
    }

    /**
     * Writes a backup of all groups. Each group is captured at its own point in time: commits made while the backup
     * runs may be included for one group and missing for another.
     */
    public static List<Contents> write(GroupedStore store, Path target) {
        return whole(target, DiskSync.FSYNC, unfinished -> {
            GroupDirectories.mark(unfinished, store.groups());
            List<Contents> groups = new ArrayList<>();
            for (int group = 0; group < store.groups(); group++) {
                groups.add(write(store.engines().get(group), GroupDirectories.of(unfinished, group)));
            }
            return groups;
        });
    }

    /** Fills a directory and returns its contents. */
    private interface Filling<T> {
        T into(Path unfinished) throws IOException;
    }

    /** Fills a temporary directory, syncs it, then renames it to the target. */
    private static <T> T whole(Path target, DiskSync disk, Filling<T> filling) {
        Path unfinished = unfinishedOf(target);
        if (Files.exists(target)) {
            throw inTheWay(target, "The backup's directory exists already");
        }
        take(unfinished);
        try {
            T contents = filling.into(unfinished);
            disk.syncTree(unfinished);
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            disk.sync(parentOf(target));
            return contents;
        } catch (IOException e) {
            throw afterDeleting(unfinished, StoreDirectory.io("Cannot write the backup", target, e));
        } catch (RuntimeException e) {
            throw afterDeleting(unfinished, e);
        }
    }

    /** Of two concurrent writers of the same backup one wins the directory; the other must not touch its files. */
    private static void take(Path unfinished) {
        try {
            DiskSync.createNew(unfinished);
        } catch (FileAlreadyExistsException e) {
            throw inTheWay(
                    unfinished, "An earlier backup was interrupted, or another is being written: delete what it left");
        } catch (IOException e) {
            throw StoreDirectory.io("Cannot write the backup", unfinished, e);
        }
    }

    private static StoreException inTheWay(Path path, String refusal) {
        return new StoreException(StoreError.IO, refusal, Map.of("path", path));
    }

    /**
     * Deletes a failed backup's files: they use disk space, which may be why it failed, and would block the next
     * backup.
     */
    private static RuntimeException afterDeleting(Path unfinished, RuntimeException reason) {
        try {
            StoreDirectory.deleteTree(unfinished);
        } catch (StoreException e) {
            reason.addSuppressed(e);
        }
        return reason;
    }

    /**
     * The temporary directory of a backup in progress. If no backup is running, it is the remains of one that did not
     * finish.
     */
    public static Path unfinishedOf(Path target) {
        return target.resolveSibling(target.getFileName() + ".unfinished");
    }

    private static Path parentOf(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    private static void writeManifest(Path file, State.Applied held) throws IOException {
        List<String> lines = List.of("position=" + held.position(), "ticket=" + held.ticket());
        Files.write(file, lines, UTF_8);
    }

    /** Creates the log that continues a restored backup. */
    public interface LogBeginning {
        void begin(Path logDirectory, Contents contents);
    }

    /** Restores a backup, with all its groups, into an empty directory; the logs are local files. */
    public static void restore(Path backup, Path directory) {
        int groups = GroupDirectories.present(backup);
        if (groups <= 1) {
            restoreGroup(backup, directory);
            return;
        }
        if (GroupDirectories.present(directory) != 0) {
            throw notEmpty(directory);
        }
        for (int group = 0; group < groups; group++) {
            restoreGroup(GroupDirectories.of(backup, group), GroupDirectories.of(directory, group));
        }
        // Written last: groups without this mark are an unfinished restore.
        GroupDirectories.mark(directory, groups);
    }

    private static void restoreGroup(Path backup, Path directory) {
        try (StoreDirectory target = StoreDirectory.lock(directory)) {
            Contents unused = restore(backup, target, Backup::beginFiles);
        }
    }

    private static StoreException notEmpty(Path directory) {
        return new StoreException(
                StoreError.IO, "The data directory is not empty: restore into a new one", Map.of("path", directory));
    }

    /** Restores a backup of one group into an empty directory; the caller creates the log. */
    public static Contents restore(Path backup, StoreDirectory target, LogBeginning log) {
        return restore(backup, target, log, DiskSync.FSYNC);
    }

    static Contents restore(Path backup, StoreDirectory target, LogBeginning log, DiskSync disk) {
        Contents contents = readManifest(backup.resolve(MANIFEST));
        if (!target.isEmpty()) {
            throw notEmpty(target.path());
        }
        StoreDirectory.copyTree(backup.resolve(STATE), target.state());
        log.begin(target.log(), contents);
        sync(target.path(), disk);
        // Written last: a directory with data but without this mark is an unfinished restore.
        StoreDirectory.markFormat(target.path());
        return contents;
    }

    private static void sync(Path directory, DiskSync disk) {
        try {
            disk.syncTree(directory);
            disk.sync(parentOf(directory));
        } catch (IOException e) {
            throw StoreDirectory.io("Cannot bring the restored files to the disk", directory, e);
        }
    }

    /** Creates a log of local files. */
    public static void beginFiles(Path logDirectory, Contents contents) {
        FileLogOptions options = FileLogOptions.defaults().withStartAfter(contents.position(), contents.ticket());
        FileLog.open(logDirectory, options).close();
    }

    private static Contents readManifest(Path file) {
        try (var in = Files.newBufferedReader(file, UTF_8)) {
            Properties properties = new Properties();
            properties.load(in);
            return new Contents(
                    Long.parseLong(properties.getProperty("position", "")),
                    Long.parseLong(properties.getProperty("ticket", "")));
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.CORRUPT, "Not a backup's manifest", Map.of("path", file), e);
        } catch (IOException e) {
            throw new StoreException(StoreError.IO, "Not a backup", Map.of("path", file), e);
        }
    }
}
