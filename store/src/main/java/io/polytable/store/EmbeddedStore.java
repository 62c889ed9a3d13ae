package io.polytable.store;

import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens stores: the entry point for embedding. */
public final class EmbeddedStore {
    private EmbeddedStore() {}

    /** Opens or creates the store in the directory, with a log of local files. */
    public static Engine open(Path directory, EngineOptions options, FileLogOptions logOptions) {
        return open(directory, options, logOptions, Recovery.Progress.NONE);
    }

    public static Engine open(
            Path directory, EngineOptions options, FileLogOptions logOptions, Recovery.Progress progress) {
        return open(StoreDirectory.lock(directory), options, at -> FileLog.open(at, logOptions), progress);
    }

    /** Opens or creates a store of two or more partitions, with logs of local files. */
    public static PartitionedStore openPartitions(
            Path directory,
            Partitioning partitioning,
            EngineOptions options,
            FileLogOptions logOptions,
            Recovery.Progress progress) {
        return PartitionedStore.open(directory, partitioning, (at, member) -> {
            StoreDirectory held = StoreDirectory.lock(at);
            return open(held, options, member, log -> FileLog.open(log, logOptions), progress);
        });
    }

    /** Opens the log that belongs to a data directory. */
    public interface LogOpener {
        CommitLog open(Path logDirectory);
    }

    /** Opens the store over any log. The engine owns the directory from now on, even if this fails. */
    public static Engine open(
            StoreDirectory directory, EngineOptions options, LogOpener logs, Recovery.Progress progress) {
        return open(directory, options, Membership.alone(), logs, progress);
    }

    /** Opens one of several partitions over any log. */
    public static Engine open(
            StoreDirectory directory,
            EngineOptions options,
            Membership member,
            LogOpener logs,
            Recovery.Progress progress) {
        CommitLog log = null;
        Engine engine = null;
        try {
            directory.checkFormat();
            log = logs.open(directory.log());
            engine = Engine.over(directory, log, options, member);
            engine.start(progress);
            return engine;
        } catch (RuntimeException | Error e) {
            // Also after an error: left locked, the directory could not be opened again by this process.
            try {
                close(directory, log, engine);
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static void close(StoreDirectory directory, @Nullable CommitLog log, @Nullable Engine engine) {
        if (engine != null) {
            engine.abandon();
        } else {
            try (directory;
                    log) {
                // Both, even if one fails.
            }
        }
    }
}
