package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.state.State;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Migrates a data directory's log from files to Fluss, or back. The state stays in place; Fluss gets a checkpoint of
 * it, after which a new log begins. At any time one of the two logs is complete, and the directory says which.
 */
public final class Move {
    private static final String IMAGE = "checkpoint.out";
    private static final String BEGUN_WITH = "move.checkpoint";

    private final Path directory;
    private final Membership member;
    private final EngineOptions options;
    private final FlussSettings settings;
    private final FlussLogOptions logOptions;

    /** @param member the directory's partition in its store */
    public Move(
            Path directory,
            Membership member,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions) {
        this.directory = directory;
        this.member = member;
        this.options = options;
        this.settings = settings;
        this.logOptions = logOptions;
    }

    /** From files to Fluss, where the log must still be empty. */
    public void toFluss(FileLogOptions files, Recovery.Progress progress) {
        if (LogBinding.isIn(StoreDirectory.presentLogOf(directory))) {
            throw new StoreException(StoreError.IO, "The log is in Fluss already", Map.of("path", directory));
        }
        // Locked until the end: commits of a server started meanwhile would be lost with the former log.
        try (StoreDirectory held = StoreDirectory.lock(directory);
                FlussCluster cluster = FlussCluster.open(settings)) {
            Path image = directory.resolve(IMAGE);
            FlussLogOptions.StartAfter start = uploaded(cluster, held, image, files, progress);
            try (FlussLog log = FlussLog.open(cluster, logOptions.withAnew(start))) {
                replaceLog(fresh -> new LogBinding(log.incarnation(), log.owner()).write(fresh));
            }
            StoreDirectory.deleteTree(image);
            StoreDirectory.deleteTree(directory.resolve(BEGUN_WITH));
        }
    }

    /**
     * Uploads the state. The log in Fluss is owned meanwhile, which keeps other servers away; if one takes it over all
     * the same, it is not started over.
     */
    private FlussLogOptions.StartAfter uploaded(
            FlussCluster cluster, StoreDirectory held, Path image, FileLogOptions files, Recovery.Progress progress) {
        try (FlussLog unused = FlussLog.open(cluster, logOptions)) {
            refuseUsed(unused);
            Backup.Contents contents;
            try (Engine engine = openFiles(held.share(), files)) {
                contents = Checkpoint.image(engine, image);
            }
            Checkpoint checkpoints = new Checkpoint(CheckpointTable.open(cluster, logOptions.checkpointTable()));
            checkpoints.removeUnfinished(unused.epoch(), 0);
            long number = checkpoints.write(image, unused.epoch(), progress);
            // Identifies the log as ours from its creation until the directory is bound to it.
            note(number);
            return new FlussLogOptions.StartAfter(
                    contents.position(), contents.ticket(), number, OptionalLong.of(unused.epoch()));
        }
    }

    /**
     * Durably records the checkpoint that the log in Fluss is about to begin with, besides those of earlier attempts.
     */
    void note(long checkpoint) {
        Path file = directory.resolve(BEGUN_WITH);
        try {
            // Until the log starts over it still names the checkpoint of the previous attempt.
            Files.writeString(file, checkpoint + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            DiskSync.FSYNC.sync(file);
            DiskSync.FSYNC.sync(directory);
        } catch (IOException e) {
            throw StoreDirectory.io("The move cannot be noted", file, e);
        }
    }

    private boolean isNoted(long checkpoint) {
        Path file = directory.resolve(BEGUN_WITH);
        try {
            return Files.exists(file) && Files.readAllLines(file).contains(Long.toString(checkpoint));
        } catch (IOException e) {
            throw StoreDirectory.io("The note about a move cannot be read", file, e);
        }
    }

    private Engine openFiles(StoreDirectory held, FileLogOptions files) {
        return EmbeddedStore.open(held, options, member, path -> FileLog.open(path, files), Recovery.Progress.NONE);
    }

    private void refuseUsed(FlussLog log) {
        if ((log.end() > 0 || log.checkpoint() != 0) && !isLeftByUs(log)) {
            throw new StoreException(
                    StoreError.IN_USE,
                    "There is a log in Fluss already: choose another database",
                    Map.of("database", settings.database(), "log", logOptions.table()));
        }
    }

    /** Whether an interrupted migration of this directory began the log, and nobody has written to it. */
    private boolean isLeftByUs(FlussLog log) {
        boolean isUnused = log.end() < log.first();
        boolean isNamed = LogBinding.read(StoreDirectory.nextLogOf(directory))
                .filter(binding -> binding.incarnation() == log.incarnation())
                .isPresent();
        return isUnused && (isNamed || isNoted(log.checkpoint()));
    }

    /** From Fluss to files. The log in Fluss stays there. */
    public void toFiles(Recovery.Progress progress) {
        if (!LogBinding.isIn(StoreDirectory.presentLogOf(directory))) {
            throw new StoreException(StoreError.IO, "The log is in files already", Map.of("path", directory));
        }
        // Locked until the end, as above.
        try (StoreDirectory held = StoreDirectory.lock(directory)) {
            State.Applied end = settled(held, progress);
            replaceLog(fresh -> Backup.beginFiles(fresh, new Backup.Contents(end.position(), end.ticket())));
        }
    }

    /** Applies the log in Fluss to its end. */
    private State.Applied settled(StoreDirectory held, Recovery.Progress progress) {
        try (FlussCluster cluster = FlussCluster.open(settings)) {
            FlussPartition partition =
                    FlussPartition.open(held.share(), options, member, cluster, logOptions, progress);
            partition.stopCheckpoints();
            try (Engine engine = partition.engine()) {
                return engine.settle();
            }
        }
    }

    private Path log() {
        return StoreDirectory.logOf(directory);
    }

    /** Writes a log, or a binding to one. */
    private interface Writing {
        void to(Path logDirectory);
    }

    /** Between the two renames there is no log; opening the directory then completes the second. */
    private void replaceLog(Writing writing) {
        Path fresh = StoreDirectory.nextLogOf(directory);
        Path former = directory.resolve("log.old");
        StoreDirectory.deleteTree(fresh);
        // Leftovers of an earlier migration that was interrupted at its very end.
        StoreDirectory.deleteTree(former);
        writing.to(fresh);
        try {
            DiskSync.FSYNC.syncTree(fresh);
            DiskSync.FSYNC.sync(directory);
            Files.move(log(), former, StandardCopyOption.ATOMIC_MOVE);
            DiskSync.FSYNC.sync(directory);
            Files.move(fresh, log(), StandardCopyOption.ATOMIC_MOVE);
            DiskSync.FSYNC.sync(directory);
        } catch (IOException e) {
            throw new StoreException(StoreError.IO, "The log cannot be replaced", Map.of("path", directory), e);
        }
        StoreDirectory.deleteTree(former);
    }
}
