package io.polytable.server.assembly;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.FlussKeys;
import io.polytable.server.config.StoreKeys;
import io.polytable.server.config.StoreKeys.LogPlace;
import io.polytable.server.run.Engine;
import io.polytable.server.run.EngineOpener;
import io.polytable.server.run.RefusedException;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.StoreDirectory;
import io.polytable.store.fluss.FlussLogOptions;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.FlussStore;
import io.polytable.store.fluss.LocalNote;
import io.polytable.store.fluss.Move;
import java.nio.file.Path;

/** Opens the store, with its log where the configuration says. */
final class StoreOpener implements EngineOpener {
    private static final String LOG_GROUP = "00";

    @Override
    public Engine open(Path directory, Configuration configuration, RecoveryProgress progress) {
        return switch (configuration.get(StoreKeys.LOG)) {
            case FILE -> openFiles(directory, configuration, progress);
            case FLUSS -> openFluss(directory, configuration, progress);
        };
    }

    private static Engine openFiles(Path directory, Configuration configuration, RecoveryProgress progress) {
        if (LocalNote.isIn(StoreDirectory.logOf(directory))) {
            throw new RefusedException("The data directory has its log in Fluss: start with store.log=fluss, or"
                    + " bring it back with polytable move --to file");
        }
        return new StoreEngine(EmbeddedStore.open(
                directory, StoreOptions.engine(configuration), StoreOptions.log(configuration), progress::at));
    }

    private static Engine openFluss(Path directory, Configuration configuration, RecoveryProgress progress) {
        FlussStore store = FlussStore.open(
                directory,
                StoreOptions.engine(configuration),
                settings(configuration),
                logOptions(configuration),
                progress::at);
        return new StoreEngine(store.engine(), store::close, true);
    }

    static FlussSettings settings(Configuration configuration) {
        return new FlussSettings(
                configuration.get(FlussKeys.BOOTSTRAP_SERVERS),
                configuration.get(FlussKeys.DATABASE),
                configuration.get(FlussKeys.REPLICATION),
                configuration.get(FlussKeys.ANSWER_TIMEOUT));
    }

    static FlussLogOptions logOptions(Configuration configuration) {
        return FlussLogOptions.of(LOG_GROUP)
                .withLease(configuration.get(FlussKeys.LEASE_TIME))
                .withClaimMax(configuration.get(FlussKeys.CLAIM_TIMEOUT))
                .withCheckpointBytes(configuration.get(FlussKeys.CHECKPOINT_BYTES));
    }

    @Override
    public void move(Path directory, LogPlace to, Configuration configuration, RecoveryProgress progress) {
        Move move = new Move(
                directory, StoreOptions.engine(configuration), settings(configuration), logOptions(configuration));
        switch (to) {
            case FLUSS -> move.toFluss(StoreOptions.log(configuration), progress::at);
            case FILE -> move.toFiles(progress::at);
        }
    }

    @Override
    public void restore(Path backup, Path directory) {
        Backup.restore(backup, directory);
    }
}
