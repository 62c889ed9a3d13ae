package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Opening;
import io.polytable.store.engine.Recovery;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** An engine whose log is in Fluss, with its checkpointer. */
final class FlussPartition {
    private final FlussLog log;
    private final Engine engine;
    private final Checkpointer checkpointer;

    private FlussPartition(FlussLog log, Engine engine, Checkpointer checkpointer) {
        this.log = log;
        this.engine = engine;
        this.checkpointer = checkpointer;
    }

    /**
     * Takes the log over and brings the directory's state up to date with it, restoring the last checkpoint first if
     * necessary.
     */
    static FlussPartition open(
            Path directory,
            EngineOptions options,
            Membership member,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        return open(StoreDirectory.lock(directory), options, member, cluster, logOptions, progress);
    }

    /** The partition owns the directory from now on, even if this fails. */
    static FlussPartition open(
            StoreDirectory held,
            EngineOptions options,
            Membership member,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        FlussLog log = Opening.orClose(held::close, () -> {
            CheckpointRestore.forgetInterrupted(held);
            return openLog(cluster, logOptions, held.log());
        });
        // Left open, the log would keep renewing its lease, and the next claimant would wait for nothing.
        return Opening.orClose(log::close, () -> {
            Checkpoint checkpoints =
                    Opening.orClose(held::close, () -> restored(held, log, cluster, logOptions, progress));
            Engine engine = EmbeddedStore.open(held, options, member, path -> bound(log, path), progress);
            return new FlussPartition(
                    log, engine, new Checkpointer(engine, log, checkpoints, held.path(), logOptions.checkpointBytes()));
        });
    }

    /** Opens the log's checkpoints, and restores the directory from the last one if necessary. */
    private static Checkpoint restored(
            StoreDirectory held,
            FlussLog log,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        Checkpoint checkpoints = new Checkpoint(CheckpointTable.open(cluster, logOptions.checkpointTable()));
        new CheckpointRestore(held, log, checkpoints).run(progress);
        return checkpoints;
    }

    /** Takes over the log that the data directory is bound to. */
    static FlussLog openLog(FlussCluster cluster, FlussLogOptions options, Path path) {
        Optional<LogBinding> binding = LogBinding.read(path);
        if (binding.isEmpty() && !LogBinding.isUnused(path)) {
            throw new StoreException(
                    StoreError.IO,
                    "The data directory has its log in files: polytable move --to fluss takes it along",
                    Map.of("path", path));
        }
        FlussLog log = FlussLog.open(cluster, options.withFormerOwner(LogBinding.deadOwner(path)));
        if (binding.isPresent() && binding.get().incarnation() != log.incarnation()) {
            log.close();
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The log in Fluss is not the one that this data directory belongs to",
                    Map.of("path", path, "log", options.table()));
        }
        return log;
    }

    /** Binds the data directory to the log. */
    static FlussLog bound(FlussLog log, Path path) {
        new LogBinding(log.incarnation(), log.owner()).write(path);
        return log;
    }

    Engine engine() {
        return engine;
    }

    FlussLog log() {
        return log;
    }

    /** Writes a checkpoint to Fluss now, and trims the log before it. */
    Backup.Contents checkpoint() {
        return checkpointer.make();
    }

    /** Call before closing the engine, which the store owns. */
    void stopCheckpoints() {
        checkpointer.close();
    }
}
