package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.Engine;
import io.polytable.store.EngineOptions;
import io.polytable.store.Recovery;
import io.polytable.store.StoreDirectory;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** An engine whose log is in Fluss, with the connection it uses and the checkpoints it makes. */
public final class FlussStore implements AutoCloseable {
    private final FlussCluster cluster;
    private final FlussLog log;
    private final Engine engine;
    private final Checkpointer checkpointer;

    private FlussStore(FlussCluster cluster, FlussLog log, Engine engine, Checkpointer checkpointer) {
        this.cluster = cluster;
        this.log = log;
        this.engine = engine;
        this.checkpointer = checkpointer;
    }

    /**
     * Connects, takes the log over, and brings the directory's state up to it. A directory without data gets the last
     * checkpoint's first.
     */
    public static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        FlussCluster cluster = FlussCluster.open(settings);
        try {
            return open(directory, options, cluster, logOptions, progress);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        StoreDirectory held = StoreDirectory.lock(directory);
        FlussLog log;
        CheckpointTable checkpoints;
        try {
            log = openLog(cluster, logOptions, StoreDirectory.logOf(directory));
            checkpoints = CheckpointTable.open(cluster, logOptions.checkpointTable());
            new EmptyDisk(held, log, new Checkpoint(checkpoints)).fill(progress);
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
        Engine engine = EmbeddedStore.open(held, options, path -> noted(log, path), progress);
        Checkpointer checkpointer =
                new Checkpointer(engine, log, new Checkpoint(checkpoints), directory, logOptions.checkpointBytes());
        return new FlussStore(cluster, log, engine, checkpointer);
    }

    /** Takes over the log that belongs to a data directory, whose note tells which that is. */
    static FlussLog openLog(FlussCluster cluster, FlussLogOptions options, Path path) {
        Optional<LocalNote> note = LocalNote.read(path);
        if (note.isEmpty() && Files.exists(path)) {
            throw new StoreException(
                    StoreError.IO,
                    "The data directory has its log in files: polytable move --to fluss takes it along",
                    Map.of("path", path));
        }
        FlussLog log = FlussLog.open(cluster, options.withFormerOwner(note.map(LocalNote::owner)));
        if (note.isPresent() && note.get().incarnation() != log.incarnation()) {
            log.close();
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The log in Fluss is not the one that this data directory belongs to",
                    Map.of("path", path, "log", options.table()));
        }
        return log;
    }

    /** The log, with a note in the data directory that says so. */
    static FlussLog noted(FlussLog log, Path path) {
        new LocalNote(log.incarnation(), log.owner()).write(path);
        return log;
    }

    public Engine engine() {
        return engine;
    }

    FlussLog log() {
        return log;
    }

    /** Shared by whatever else is kept in Fluss for this store. */
    public FlussCluster cluster() {
        return cluster;
    }

    /** Writes an image of the state to Fluss now, and gives up the log before it. */
    public Backup.Contents checkpoint() {
        return checkpointer.make();
    }

    @Override
    public void close() {
        checkpointer.close();
        try {
            engine.close();
        } finally {
            cluster.close();
        }
    }
}
