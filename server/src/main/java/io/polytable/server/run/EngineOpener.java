package io.polytable.server.run;

import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.store.Backup;
import io.polytable.store.LogReplay;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Opens the engine over its directory, and fills a directory from a backup. */
public interface EngineOpener {
    /** Opens the engine, with recovery if needed. */
    RunningStore open(Path directory, Settings settings, Progress progress);

    default RunningStore open(Path directory, Settings settings) {
        return open(directory, settings, Progress.NONE);
    }

    /** Moves the log of a directory that is not in use. */
    void move(Path directory, LogPlace to, Settings settings, Progress progress);

    /**
     * Fills a directory, which must be empty, from a backup.
     *
     * @param bases directories for the files of storages inside the data directory, by the storage's name
     * @param log the log to replay after the backup, if any
     */
    Backup.Restored restore(Path backup, Path directory, Map<String, Path> bases, Optional<LogReplay.Source> log);
}
