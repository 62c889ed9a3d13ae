package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.StoreKeys.LogPlace;
import java.nio.file.Path;

/** Opens the engine over its directory, and fills a directory from a backup. */
public interface EngineOpener {
    /** Told how much of a recovery is done, of how much. */
    @FunctionalInterface
    interface RecoveryProgress {
        RecoveryProgress NONE = (done, total) -> {};

        void at(long done, long total);
    }

    /** With recovery where one is due. */
    RunningStore open(Path directory, Configuration configuration, RecoveryProgress progress);

    default RunningStore open(Path directory, Configuration configuration) {
        return open(directory, configuration, RecoveryProgress.NONE);
    }

    /** Takes the log of the directory, which nobody uses, to another place. */
    void move(Path directory, LogPlace to, Configuration configuration, RecoveryProgress progress);

    /** The directory must hold nothing yet. */
    void restore(Path backup, Path directory);
}
