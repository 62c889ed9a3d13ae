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
 * Backups of a running store, and restores. A backup is the state's files, hard-linked, after everything committed before
 * was brought into them; it needs no log. A restore starts a new log behind the backup's position: a new incarnation, so
 * that positions of feeds that saw later commits of the old one are refused instead of misread.
 */
public final class Backup {
    private static final String MANIFEST = "BACKUP";
    private static final String STATE = "state";

    private Backup() {}

    /** What a backup holds. */
    public record Contents(long position, long ticket) {}

    /** Writes a backup of the running store to a directory that does not exist yet; it appears only when it is whole. */
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
     * Writes a backup of all groups of the running store. Each is of a moment of its own: what is committed while the backup
     * is written may be in it for one group and not for another.
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

    /** Fills a directory, and answers what it holds. */
    private interface Filling<T> {
        T into(Path unfinished) throws IOException;
    }

    /** The target appears only when it is filled, and filled on the disk. */
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

    /** Of two who write the same backup at once, one gets the place; the other must not touch what is in it. */
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

    /** What a failed backup wrote would take up the disk, which may be why it failed, and be in the way of the next. */
    private static RuntimeException afterDeleting(Path unfinished, RuntimeException reason) {
        try {
            StoreDirectory.deleteTree(unfinished);
        } catch (StoreException e) {
            reason.addSuppressed(e);
        }
        return reason;
    }

    /** Where a backup is until it is whole. What is there when nobody writes it was left by one that did not finish. */
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

    /** Begins the log behind a backup that was restored. */
    public interface LogBeginning {
        void begin(Path logDirectory, Contents contents);
    }

    /** Fills a directory without data from a backup, of as many groups as that has; the logs are files. */
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
        // Last: groups without this mark are an unfinished restore.
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

    /** Fills a directory without data from a backup, whose log goes on as the caller says. */
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
        // Last: a directory with data and without this mark is an unfinished restore.
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

    /** Begins a log in files. */
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
