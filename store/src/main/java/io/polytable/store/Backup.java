package io.polytable.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.backup.AttachedFile;
import io.polytable.store.backup.AttachedRestore;
import io.polytable.store.backup.Attachments;
import io.polytable.store.backup.BackupFiles;
import io.polytable.store.backup.FileTransfer;
import io.polytable.store.backup.VerifiedCopy;
import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.state.State;
import io.polytable.store.state.StateImage;
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
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Online backup and restore. A backup flushes everything committed so far and hard-links the state's files, and the
 * files that rows name ({@link Attachments}); it needs no log. It lists all of them with their checksums, which a
 * restore verifies. A restore starts a new log after the backup's position, under a new incarnation, so that feed
 * positions from later commits of the old log are refused instead of misread.
 */
public final class Backup {
    private static final String MANIFEST = "BACKUP";
    private static final String STATE = "state";

    /** Backups of this format have a list of their files. */
    private static final int FORMAT = 2;

    private Backup() {}

    /** What a backup of one partition holds. */
    public record Contents(long position, long ticket) {}

    /**
     * The log that a backup was made of.
     *
     * @param millis when the backup was made, in milliseconds since 1970: everything in it was written before
     */
    record Lineage(long incarnation, long millis) {}

    /**
     * What to back up.
     *
     * @param target a new directory, which appears only once it is complete
     * @param previous a backup whose files are linked instead of copied, where they are the same
     */
    public record Request(Path target, Optional<Path> previous, Attachments attachments) {
        public Request(Path target) {
            this(target, Optional.empty(), Attachments.NONE);
        }
    }

    /**
     * What was written.
     *
     * @param shared files of the previous backup, among all files
     * @param attached files of storages, among all files
     * @param problems files in object storages that could not be asked for
     */
    public record Written(
            List<Contents> partitions,
            long files,
            long bytes,
            long shared,
            long sharedBytes,
            long attached,
            List<BackupFiles.Remote> remotes,
            List<String> problems) {}

    /** Writes the state of one partition, without a list of files, for a copy that lists them itself. */
    public static Contents write(Engine engine, Path target) {
        return write(engine, target, DiskSync.FSYNC);
    }

    static Contents write(Engine engine, Path target, DiskSync disk) {
        return whole(target, disk, unfinished -> {
            try (StateImage image = engine.image()) {
                StoreDirectory.moveTree(image.path(), unfinished.resolve(STATE));
                StoreDirectory.markFormat(unfinished);
                return writeManifest(unfinished.resolve(MANIFEST), image.held(), List.of());
            }
        });
    }

    /**
     * Writes a backup of all partitions of a store. Each partition is captured at its own point in time: commits made while the
     * backup runs may be included for one partition and missing for another.
     */
    public static Written write(List<Engine> partitions, Request request) {
        request.previous().ifPresent(Backup::requireBackup);
        return whole(request.target(), DiskSync.FSYNC, unfinished -> captured(partitions, request, unfinished));
    }

    private static void requireBackup(Path previous) {
        if (!Files.exists(previous.resolve(BackupFiles.NAME))) {
            throw new StoreException(
                    StoreError.IO, "Not a backup that another can build on: it has no FILES", Map.of("path", previous));
        }
    }

    private static Written captured(List<Engine> partitions, Request request, Path unfinished) throws IOException {
        List<StateImage> images = new ArrayList<>();
        try (Attachments.Held held =
                request.attachments().capture(() -> partitions.forEach(partition -> images.add(partition.image())))) {
            FileTransfer transfer = new FileTransfer(unfinished, request.previous());
            List<Contents> contents = new ArrayList<>();
            long captured = System.currentTimeMillis();
            if (partitions.size() > 1) {
                PartitionDirectories.mark(unfinished, partitions.size());
            }
            for (int partition = 0; partition < images.size(); partition++) {
                String prefix = partitions.size() == 1
                        ? ""
                        : unfinished.relativize(PartitionDirectories.of(unfinished, partition)) + "/";
                StateImage image = images.get(partition);
                transfer.tree(image.path(), prefix + STATE);
                StoreDirectory.markFormat(unfinished.resolve(prefix));
                List<String> more = List.of(
                        "format=" + FORMAT,
                        "log=" + Long.toHexString(partitions.get(partition).incarnation()),
                        "time=" + captured);
                contents.add(writeManifest(unfinished.resolve(prefix + MANIFEST), image.held(), more));
                transfer.own(prefix + MANIFEST);
            }
            List<String> problems = new ArrayList<>();
            long attached = 0;
            for (AttachedFile file : held.files()) {
                attached += attach(transfer, file, problems) ? 1 : 0;
            }
            held.bases().forEach(transfer.files()::base);
            transfer.files().write(unfinished);
            return new Written(
                    contents,
                    transfer.count(),
                    transfer.bytes(),
                    transfer.shared(),
                    transfer.sharedBytes(),
                    attached,
                    transfer.files().remotes(),
                    problems);
        } finally {
            images.forEach(StateImage::close);
        }
    }

    /** Returns whether the backup holds the file. */
    private static boolean attach(FileTransfer transfer, AttachedFile file, List<String> problems) throws IOException {
        String name = BackupFiles.STORAGES + "/" + file.storage() + "/" + file.path();
        if (file.source() instanceof AttachedFile.Source.Local local) {
            if (!Files.isRegularFile(local.file()) || Files.size(local.file()) != file.bytes()) {
                throw new StoreException(
                        StoreError.CORRUPT,
                        "A file that the data names is missing or has another length; polytable check lists such files",
                        Map.of("path", local.file()));
            }
            transfer.file(local.file(), name, file.sha256());
        } else if (file.source() instanceof AttachedFile.Source.Text text) {
            transfer.text(text.content(), name);
        } else if (file.source() instanceof AttachedFile.Source.Remote remote) {
            remote.problem().ifPresent(problems::add);
            transfer.files()
                    .add(new BackupFiles.Remote(
                            file.storage(), file.path(), file.bytes(), file.sha256(), remote.etag(), remote.version()));
            return false;
        }
        return true;
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

    private static Contents writeManifest(Path file, State.Applied held, List<String> more) throws IOException {
        List<String> lines = new ArrayList<>(List.of("position=" + held.position(), "ticket=" + held.ticket()));
        lines.addAll(more);
        Files.write(file, lines, UTF_8);
        return new Contents(held.position(), held.ticket());
    }

    /** Creates the log that continues a restored backup. */
    public interface LogBeginning {
        void begin(Path logDirectory, Contents contents);
    }

    /**
     * What was restored.
     *
     * @param isListed false if the backup has no checksums and no files of storages, as those of older versions
     * @param attached restored files of storages
     * @param remotes files that rows name in object storages
     * @param reached how far the log of each partition was replayed; empty without a log
     */
    public record Restored(
            boolean isListed, long attached, List<BackupFiles.Remote> remotes, List<LogReplay.Reached> reached) {}

    /** Restores a backup without files of storages; the logs are local files. */
    public static Restored restore(Path backup, Path directory) {
        return restore(backup, directory, Map.of());
    }

    /**
     * Restores a backup, with all its partitions, into an empty directory; the logs are local files. Verifies the checksum
     * of each file.
     *
     * @param bases empty directories for the files of storages, by the storage's name; those of other storages go to
     *     where they were
     */
    public static Restored restore(Path backup, Path directory, Map<String, Path> bases) {
        return restore(backup, directory, bases, Optional.empty());
    }

    /** As above, and replays the log of the directory that the backup was made of. */
    public static Restored restore(
            Path backup, Path directory, Map<String, Path> bases, Optional<LogReplay.Source> log) {
        int partitions = Math.max(1, PartitionDirectories.present(backup));
        if (PartitionDirectories.present(directory) != 0) {
            throw notEmpty(directory);
        }
        log.ifPresent(source -> PartitionDirectories.check(source.directory(), partitions));
        List<LogReplay.Reached> reached = new ArrayList<>();
        Optional<BackupFiles> listed = listed(backup);
        AttachedRestore attached = new AttachedRestore(backup, listed.orElseGet(BackupFiles::new), bases);
        try {
            attached.run();
            for (int partition = 0; partition < partitions; partition++) {
                restorePartition(backup, listed, partition, partitions, directory, log)
                        .ifPresent(reached::add);
            }
        } catch (RuntimeException | Error failure) {
            attached.undo();
            throw failure;
        }
        if (partitions > 1) {
            // Written last: partitions without this mark are an unfinished restore.
            PartitionDirectories.mark(directory, partitions);
        }
        return new Restored(
                listed.isPresent(),
                attached.count(),
                listed.map(BackupFiles::remotes).orElse(List.of()),
                List.copyOf(reached));
    }

    private static Optional<LogReplay.Reached> restorePartition(
            Path backup,
            Optional<BackupFiles> listed,
            int partition,
            int partitions,
            Path directory,
            Optional<LogReplay.Source> log) {
        Path own = PartitionDirectories.of(backup, partition, partitions);
        String prefix = partitions == 1 ? "" : backup.relativize(own) + "/";
        try (StoreDirectory target = StoreDirectory.lock(PartitionDirectories.of(directory, partition, partitions))) {
            Copying copying = listed.isEmpty()
                    ? StoreDirectory::copyTree
                    : (from, to) -> VerifiedCopy.tree(backup, listed.get(), prefix + STATE + "/", to);
            AtomicReference<LogReplay.Reached> reached = new AtomicReference<>();
            LogBeginning beginning = log.<LogBeginning>map(source ->
                            (logDirectory, contents) -> reached.set(LogReplay.into(
                                    logDirectory,
                                    contents,
                                    lineage(own.resolve(MANIFEST)),
                                    new LogReplay.Source(
                                            PartitionDirectories.of(source.directory(), partition, partitions),
                                            source.until()))))
                    .orElse(Backup::beginFiles);
            Contents unused = restore(own, target, beginning, DiskSync.FSYNC, copying);
            return Optional.ofNullable(reached.get());
        }
    }

    private static Lineage lineage(Path manifest) {
        Properties properties = properties(manifest);
        try {
            return new Lineage(
                    Long.parseUnsignedLong(properties.getProperty("log", ""), 16),
                    Long.parseLong(properties.getProperty("time", "")));
        } catch (NumberFormatException older) {
            throw new StoreException(
                    StoreError.BAD_POSITION,
                    "The backup does not say of which log it was made: an older version wrote it",
                    Map.of("path", manifest),
                    older);
        }
    }

    /** The list of the backup's files; empty for backups of older versions, which have none. */
    public static Optional<BackupFiles> listed(Path backup) {
        int partitions = Math.max(1, PartitionDirectories.present(backup));
        Path manifest = PartitionDirectories.of(backup, 0, partitions).resolve(MANIFEST);
        boolean isListed = properties(manifest).getProperty("format") != null;
        Optional<BackupFiles> files = BackupFiles.read(backup);
        if (isListed && files.isEmpty()) {
            throw new StoreException(
                    StoreError.CORRUPT, "The backup has lost the list of its files", Map.of("path", backup));
        }
        return files;
    }

    /** Verifies each file of the backup; returns a line for each that is damaged. */
    public static List<String> verify(Path backup) {
        return listed(backup).map(files -> VerifiedCopy.problems(backup, files)).orElse(List.of());
    }

    private static StoreException notEmpty(Path directory) {
        return new StoreException(
                StoreError.IO, "The data directory is not empty: restore into a new one", Map.of("path", directory));
    }

    /** Restores a backup of one partition into an empty directory; the caller creates the log. */
    public static Contents restore(Path backup, StoreDirectory target, LogBeginning log) {
        return restore(backup, target, log, DiskSync.FSYNC);
    }

    static Contents restore(Path backup, StoreDirectory target, LogBeginning log, DiskSync disk) {
        return restore(backup, target, log, disk, StoreDirectory::copyTree);
    }

    /** Copies a directory to a new one. */
    private interface Copying {
        void copy(Path from, Path to);
    }

    private static Contents restore(
            Path backup, StoreDirectory target, LogBeginning log, DiskSync disk, Copying copying) {
        Contents contents = readManifest(backup.resolve(MANIFEST));
        if (!target.isEmpty()) {
            throw notEmpty(target.path());
        }
        try {
            copying.copy(backup.resolve(STATE), target.state());
            log.begin(target.log(), contents);
        } catch (RuntimeException | Error failure) {
            // What was copied would be in the way of the next attempt.
            target.clear();
            throw failure;
        }
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
        try {
            Properties properties = properties(file);
            return new Contents(
                    Long.parseLong(properties.getProperty("position", "")),
                    Long.parseLong(properties.getProperty("ticket", "")));
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.CORRUPT, "Not a backup's manifest", Map.of("path", file), e);
        }
    }

    private static Properties properties(Path file) {
        try (var in = Files.newBufferedReader(file, UTF_8)) {
            Properties properties = new Properties();
            properties.load(in);
            int format = Integer.parseInt(properties.getProperty("format", "1"));
            if (format > FORMAT) {
                throw new StoreException(
                        StoreError.NEWER_FORMAT,
                        "The backup was written by a newer version of Polytable",
                        Map.of("path", file, "format", format, "known", FORMAT));
            }
            return properties;
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.CORRUPT, "Not a backup's manifest", Map.of("path", file), e);
        } catch (IOException e) {
            throw new StoreException(StoreError.IO, "Not a backup", Map.of("path", file), e);
        }
    }
}
