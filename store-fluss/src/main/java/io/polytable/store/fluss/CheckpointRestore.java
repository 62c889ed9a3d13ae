package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Recovery;
import io.polytable.store.state.SavedPosition;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a data directory from the log's last checkpoint if the log alone cannot bring it up to date: it has no
 * state, or one older than the log's floor, because another disk was served and checkpointed meanwhile.
 */
final class CheckpointRestore {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointRestore.class);
    private static final String DOWNLOAD = "checkpoint.tmp";

    private final StoreDirectory directory;
    private final FlussLog log;
    private final Checkpoint checkpoints;

    CheckpointRestore(StoreDirectory directory, FlussLog log, Checkpoint checkpoints) {
        this.directory = directory;
        this.log = log;
        this.checkpoints = checkpoints;
    }

    void run(Recovery.Progress progress) {
        if (log.checkpoint() == 0 || isReached()) {
            return;
        }
        Path download = directory.path().resolve(DOWNLOAD);
        checkpoints.read(log.checkpoint(), download, progress);
        directory.clear();
        Backup.Contents unusedContents = Backup.restore(download, directory, (path, contents) -> {
            FlussLog unusedLog = FlussPartition.bound(log, path);
        });
        StoreDirectory.deleteTree(download);
    }

    /** Whether the log reaches back to the state's position. */
    private boolean isReached() {
        if (directory.isEmpty()) {
            return false;
        }
        long saved = SavedPosition.of(directory.state()).position();
        if (saved + 1 >= log.first()) {
            return true;
        }
        LOG.warn(
                "The state in {} ends at {}, the log in Fluss begins at {}: restoring the last checkpoint",
                directory.path(),
                saved,
                log.first());
        return false;
    }

    /**
     * Removes what an interrupted restore left. While the download exists and the directory is not marked as complete,
     * everything in it came from the download. Call it before anything else reads the directory.
     */
    static void forgetInterrupted(StoreDirectory directory) {
        Path download = directory.path().resolve(DOWNLOAD);
        if (Files.exists(download) && !directory.isMarked()) {
            directory.clear();
        }
        StoreDirectory.deleteTree(download);
    }
}
